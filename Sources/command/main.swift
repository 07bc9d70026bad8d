import tracectl

CommandProcess.main()
