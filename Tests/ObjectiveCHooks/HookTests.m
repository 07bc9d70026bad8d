/* The hooks against an Objective-C runtime. Each check prints a line; the exit status is 0 when all hold. */
#import <Foundation/Foundation.h>
#include <Block.h>
#include <objc/runtime.h>
#include <stdio.h>
#include <string.h>

#include "CTraceHooks.h"

/* MARK: What the checks need */

static int checks, failures;

static void check(const char *what, int holds) {
  checks += 1;
  failures += !holds;
  printf("%s %s\n", holds ? "ok  " : "FAIL", what);
}

/* What methods and hooks say, in order. */
static NSMutableString *story;
static void say(NSString *word) { [story appendFormat:@"%@ ", word]; }

static void expect(const char *what, NSString *wanted) {
  NSString *got =
      [story stringByTrimmingCharactersInSet:[NSCharacterSet whitespaceCharacterSet]];
  int holds = [got isEqualToString:wanted];
  check(what, holds);
  if (!holds) printf("     got    %s\n     wanted %s\n", [got UTF8String], [wanted UTF8String]);
  [story setString:@""];
}

enum { launch = 1, active, background, configuration, push, session, begin, end, sets, timer };
static NSString *const names[] = {@"", @"launch", @"active", @"background", @"configuration",
    @"push", @"session", @"begin", @"end", @"sets", @"timer"};
static uintptr_t lastResult;
static uint64_t lastNumber;

static uintptr_t lastArgument;
/* Whether blocks are to be watched. */
static int wantsBlocks = 1;

static int entered(trace_hook_call call, const uintptr_t *arguments) {
  say([NSString stringWithFormat:@"<%@", names[call.token]]);
  lastNumber = call.number;
  return wantsBlocks;
}
static void left(trace_hook_call call, const uintptr_t *arguments, uintptr_t result) {
  say([NSString stringWithFormat:@"%@>", names[call.token]]);
  lastResult = result;
}
static void blockEntered(trace_hook_call call, uintptr_t argument) {
  lastArgument = argument;
  say([NSString stringWithFormat:@"{%@", names[call.token]]);
}
static void blockLeft(trace_hook_call call, uintptr_t argument) {
  say([NSString stringWithFormat:@"%@}", names[call.token]]);
}

static trace_hook_result watch(Class cls, const char *selector, uint32_t token) {
  return trace_hook_watch((const void *)cls, selector, token, 0);
}

/* MARK: An app */

@interface UIApplication : NSObject {
  id held;
}
+ (id)sharedApplication;
- (void)setDelegate:(id)delegate;
@end
@implementation UIApplication
static id shared;
+ (id)sharedApplication { return shared; }
- (void)setDelegate:(id)delegate { held = delegate; }
@end

@interface Delegate : NSObject
@end
@implementation Delegate
- (BOOL)application:(id)app didFinishLaunchingWithOptions:(NSDictionary *)options {
  say([NSString stringWithFormat:@"finish(%@)", [options objectForKey:@"key"]]);
  return YES;
}
- (void)applicationDidBecomeActive:(id)app { say(@"active"); }
- (id)application:(id)app configurationForConnectingSceneSession:(id)s options:(id)options {
  return [NSString stringWithFormat:@"%@%@", s, options];
}
- (void)application:(id)app
    didReceiveRemoteNotification:(id)info
          fetchCompletionHandler:(void (^)(NSUInteger))done {
  say(@"push");
  done(2);
}
- (void)application:(id)app
    handleEventsForBackgroundURLSession:(id)identifier
                      completionHandler:(void (^)(void))done {
  say(@"session");
  done();
}
@end

@interface Subclass : Delegate
@end
@implementation Subclass
- (void)applicationDidBecomeActive:(id)app {
  say(@"subclass");
  [super applicationDidBecomeActive:app];
}
@end

@interface Inheriting : Delegate
@end
@implementation Inheriting
@end

/* The shape of SwiftUI's delegate: a method of its own that calls the app's, the rest handed on. */
@interface OuterDelegate : NSObject {
 @public
  id inner;
}
@end
@implementation OuterDelegate
- (BOOL)application:(id)app didFinishLaunchingWithOptions:(id)options {
  return [inner application:app didFinishLaunchingWithOptions:options];
}
- (BOOL)respondsToSelector:(SEL)selector {
  return [inner respondsToSelector:selector] || [[self class] instancesRespondToSelector:selector];
}
- (id)forwardingTargetForSelector:(SEL)selector { return inner; }
@end

@interface InnerDelegate : NSObject
@end
@implementation InnerDelegate
- (void)applicationDidEnterBackground:(id)app { say(@"inner"); }
- (BOOL)application:(id)app didFinishLaunchingWithOptions:(id)options {
  say(@"inner-finish");
  return NO;
}
@end

@interface Tasks : NSObject {
 @public
  void (^kept)(void);
}
@end
@implementation Tasks
- (NSUInteger)beginBackgroundTaskWithName:(NSString *)name expirationHandler:(void (^)(void))handler {
  say(name);
  kept = handler ? Block_copy(handler) : NULL;
  return 77;
}
- (void)endBackgroundTask:(NSUInteger)number {
  say([NSString stringWithFormat:@"end%d", (int)number]);
}
- (signed char)narrow:(short)first and:(unsigned char)second {
  say([NSString stringWithFormat:@"%d,%d", first, second]);
  return -3;
}
- (void)narrow:(float)real {
}
- (void)two:(double)first and:(double)second {
}
- (NSRange)ranged {
  return NSMakeRange(0, 0);
}
- (BOOL)submit:(id)request error:(NSError **)error {
  *error = nil;
  return [request isEqual:@"good"];
}
@end

/* The shape of BGTask's completion, and of one that completes another. */
@interface BackgroundTask : NSObject {
 @public
  BackgroundTask *inner;
}
@end
@implementation BackgroundTask
- (void)setTaskCompletedWithSuccess:(BOOL)success { [inner setTaskCompletedWithSuccess:success]; }
@end

/* The shapes of NSTimer's methods that make timers. */
@interface Timers : NSObject
+ (id)every:(double)seconds target:(id)target selector:(SEL)selector info:(id)info repeats:(BOOL)r;
+ (id)every:(double)seconds repeats:(BOOL)repeats block:(void (^)(id))block;
- (id)from:(id)date every:(double)seconds repeats:(BOOL)repeats block:(void (^)(id))block;
@end
@implementation Timers
+ (id)every:(double)seconds target:(id)target selector:(SEL)selector info:(id)info repeats:(BOOL)r {
  say([NSString stringWithFormat:@"%.2f,%@,%@,%@,%d", seconds, target,
      NSStringFromSelector(selector), info, r]);
  return @"made";
}
+ (id)every:(double)seconds repeats:(BOOL)repeats block:(void (^)(id))block {
  say([NSString stringWithFormat:@"%.2f,%d", seconds, repeats]);
  block(@"fired");
  return @"made";
}
- (id)from:(id)date every:(double)seconds repeats:(BOOL)repeats block:(void (^)(id))block {
  say([NSString stringWithFormat:@"%@,%.2f,%d", date, seconds, repeats]);
  block(@"fired");
  return @"made";
}
@end

/* A delegate whose methods raise what somebody around them catches. */
@interface Raiser : NSObject
@end
@implementation Raiser
- (void)sceneDidBecomeActive:(id)scene {
  say(@"raises");
  [NSException raise:@"Raised" format:@"by %@", scene];
}
- (void)sceneWillResignActive:(id)scene { say(@"quiet"); }
- (void)sceneDidEnterBackground:(id)scene { [self sceneDidBecomeActive:scene]; }
- (id)every:(double)seconds block:(void (^)(void))block {
  block();
  return self;
}
@end

@interface Heir : Inheriting
@end
@implementation Heir
@end

@interface AddedLater : NSObject
@end
@implementation AddedLater
@end

/* MARK: Other SDKs, as they do it */

static void (*foreignOriginal)(id, SEL, id);
static void foreignActive(id self, SEL selector, id app) {
  say(@"foreign(");
  foreignOriginal(self, selector, app);
  say(@")");
}
/* OneSignal's, Sentry's and Datadog's way: another function in the method's place. */
static void foreignReplaces(Class cls, SEL selector) {
  foreignOriginal = (void (*)(id, SEL, id))method_setImplementation(
      class_getInstanceMethod(cls, selector), (IMP)foreignActive);
}

/* Firebase's way: the object gets a subclass. It is compiled here, because GCC's runtime shows a class
   made at run time a wrong method after method_setImplementation, also without us. */
@interface GUL_Inheriting : Inheriting
@end
@implementation GUL_Inheriting
- (void)applicationDidBecomeActive:(id)app {
  say(@"isa(");
  [super applicationDidBecomeActive:app];
  say(@")");
}
@end

static void addedBackground(id self, SEL selector, id app) { say(@"added"); }

/* MARK: The checks */

static void checkCalls(void) {
  id delegate = [Delegate new];
  SEL background_ = @selector(applicationDidEnterBackground:);
  check("a method that is there is watched",
      watch([Delegate class], "application:didFinishLaunchingWithOptions:", launch)
          == trace_hook_done);
  check("twice is once",
      watch([Delegate class], "application:didFinishLaunchingWithOptions:", launch)
          == trace_hook_already);
  check("a method that is absent is refused",
      watch([Delegate class], "applicationDidEnterBackground:", background) == trace_hook_absent);
  check("and stays absent", ![delegate respondsToSelector:background_]);
  check("no class has no methods", trace_hook_watch(NULL, "x", 1, 0) == trace_hook_absent);

  NSDictionary *options = [NSDictionary dictionaryWithObject:@"value" forKey:@"key"];
  BOOL result = [delegate application:nil didFinishLaunchingWithOptions:options];
  expect("a call is told around the original", @"<launch finish(value) launch>");
  check("its result is intact", result == YES && (BOOL)lastResult == YES);
  uint64_t number = lastNumber;
  [delegate application:nil didFinishLaunchingWithOptions:options];
  [story setString:@""];
  check("calls have numbers of their own", lastNumber > number);

  watch([Delegate class], "application:configurationForConnectingSceneSession:options:",
      configuration);
  id made = [delegate application:nil configurationForConnectingSceneSession:@"s" options:@"o"];
  check("an object comes back", [made isEqual:@"so"] && (id)lastResult == made);
  expect("and is told", @"<configuration configuration>");
}

static void checkBlocks(void) {
  id delegate = [Delegate new];
  check("a method with a handler is watched",
      trace_hook_watch([Delegate class],
          "application:didReceiveRemoteNotification:fetchCompletionHandler:", push, 3)
          == trace_hook_done);
  trace_hook_watch([Delegate class],
      "application:handleEventsForBackgroundURLSession:completionHandler:", session, 3);

  __block NSUInteger got = 0;
  [delegate application:nil didReceiveRemoteNotification:nil
      fetchCompletionHandler:^(NSUInteger given) { got = given; }];
  expect("the handler's run is told", @"<push push {push push} push>");
  check("and it gets its argument", got == 2);

  __block int runs = 0;
  [delegate application:nil handleEventsForBackgroundURLSession:@"id"
      completionHandler:^{ runs += 1; }];
  expect("a handler without argument", @"<session session {session session} session>");
  check("it runs once", runs == 1);
  check("a handler's place behind the arguments is refused",
      trace_hook_watch([Tasks class], "endBackgroundTask:", end, 2) == trace_hook_shape);
}

static void checkInheritance(void) {
  watch([Subclass class], "applicationDidBecomeActive:", active);
  watch([Delegate class], "applicationDidBecomeActive:", active);
  [[Subclass new] applicationDidBecomeActive:nil];
  expect("super's call is the same call", @"<active subclass active active>");
  [[Inheriting new] applicationDidBecomeActive:nil];
  expect("an inherited method is watched where it is declared", @"<active active active>");
  check("and is watched already for the heir",
      watch([Inheriting class], "applicationDidBecomeActive:", active) == trace_hook_already);

  id first = [Subclass new], second = [NSObject new];
  [first applicationDidBecomeActive:second];
  expect("with an argument it is one call too", @"<active subclass active active>");
}

static void checkNumberArguments(void) {
  BackgroundTask *outer = [BackgroundTask new];
  outer->inner = [BackgroundTask new];
  watch([BackgroundTask class], "setTaskCompletedWithSuccess:", end);
  [outer setTaskCompletedWithSuccess:YES];
  expect("a number is the same for two objects", @"<end <end end> end>");

  outer->inner = nil;
  [outer setTaskCompletedWithSuccess:NO];
  expect("one object's is one call", @"<end end>");
}

static void checkForwarding(void) {
  OuterDelegate *outer = [OuterDelegate new];
  outer->inner = [InnerDelegate new];
  Class cls = [OuterDelegate class];
  check("the outer delegate has no such method",
      watch(cls, "applicationDidEnterBackground:", background) == trace_hook_absent);
  const void *target = trace_hook_forwards(outer, "applicationDidEnterBackground:");
  check("it hands on to the inner one", target == (const void *)outer->inner);
  check("whose method is watched",
      trace_hook_watch(trace_hook_class_of(target), "applicationDidEnterBackground:", background, 0)
          == trace_hook_done);
  check("what it responds to is as before",
      [outer respondsToSelector:@selector(applicationDidEnterBackground:)]
          && ![outer respondsToSelector:@selector(applicationDidBecomeActive:)]);
  [(id)outer applicationDidEnterBackground:nil];
  expect("a call that is handed on is told once", @"<background inner background>");

  watch(cls, "application:didFinishLaunchingWithOptions:", launch);
  watch([InnerDelegate class], "application:didFinishLaunchingWithOptions:", launch);
  BOOL result = [(id)outer application:@"app" didFinishLaunchingWithOptions:nil];
  expect("outer and inner are one call", @"<launch inner-finish launch>");
  check("NO stays NO", result == NO);
  check("who hands nothing on has no target",
      trace_hook_forwards([Delegate new], "applicationDidEnterBackground:") == NULL);
}

static void checkForeign(void) {
  /* GCC's runtime fills a class's table when its first object is made. */
  [GUL_Inheriting new];
  id delegate = [Inheriting new];
  object_setClass(delegate, [GUL_Inheriting class]);
  [delegate applicationDidBecomeActive:nil];
  expect("a subclass that came after us", @"isa( <active active active> )");
  check("is watched as well",
      trace_hook_watch(trace_hook_class_of(delegate), "applicationDidBecomeActive:", active, 0)
          == trace_hook_done);
  [delegate applicationDidBecomeActive:nil];
  expect("and the call stays one", @"<active isa( active ) active>");

  Class before = objc_allocateClassPair([Delegate class], "ReplacedBefore", 0);
  class_addMethod(before, @selector(applicationDidBecomeActive:), (IMP)addedBackground, "v@:@");
  objc_registerClassPair(before);
  [before class];
  foreignReplaces(before, @selector(applicationDidBecomeActive:));
  watch(before, "applicationDidBecomeActive:", active);
  [[before new] applicationDidBecomeActive:nil];
  expect("another SDK replaced it before us", @"<active foreign( added ) active>");

  Class after = objc_allocateClassPair([Delegate class], "ReplacedAfter", 0);
  class_addMethod(after, @selector(applicationDidBecomeActive:), (IMP)addedBackground, "v@:@");
  objc_registerClassPair(after);
  [after class];
  watch(after, "applicationDidBecomeActive:", active);
  foreignReplaces(after, @selector(applicationDidBecomeActive:));
  [[after new] applicationDidBecomeActive:nil];
  expect("another SDK replaced it after us", @"foreign( <active added active> )");

  /* PostHog's way: a method that the delegate does not have is added. */
  Class added = [AddedLater class];
  [added new];
  check("what is not there is refused",
      watch(added, "applicationDidEnterBackground:", background) == trace_hook_absent);
  class_addMethod(added, @selector(applicationDidEnterBackground:), (IMP)addedBackground, "v@:@");
  check("what another SDK has added is watched",
      watch(added, "applicationDidEnterBackground:", background) == trace_hook_done);
  [[added new] applicationDidEnterBackground:nil];
  expect("and told", @"<background added background>");

  /* Firebase's subclass has methods that the app does not have. */
  Class proxy = objc_allocateClassPair([Inheriting class], "Proxy", 0);
  class_addMethod(proxy, @selector(applicationDidEnterBackground:), (IMP)addedBackground, "v@:@");
  objc_registerClassPair(proxy);
  check("what a class made at run time adds is not the app's",
      watch(proxy, "applicationDidEnterBackground:", background) == trace_hook_absent);
}

static void checkNumbers(void) {
  Tasks *tasks = [Tasks new];
  trace_hook_watch(
      [Tasks class], "beginBackgroundTaskWithName:expirationHandler:", begin, 2);
  watch([Tasks class], "endBackgroundTask:", end);
  watch([Tasks class], "narrow:and:", end);
  check("a number comes back",
      [tasks beginBackgroundTaskWithName:@"save" expirationHandler:^{ say(@"expired"); }] == 77);
  expect("a handler that is kept does not run yet", @"<begin save begin>");
  tasks->kept();
  expect("and is told when it runs, after the call", @"{begin expired begin}");
  [tasks beginBackgroundTaskWithName:@"bare" expirationHandler:NULL];
  expect("no handler stays none", @"<begin bare begin>");
  check("really", tasks->kept == NULL);
  [tasks endBackgroundTask:77];
  expect("numbers are passed on", @"<end end77 end>");
  check("narrow numbers, too", [tasks narrow:-5 and:200] == -3);
  expect("with their values", @"<end -5,200 end>");
  check("what is no word is refused",
      watch([Tasks class], "narrow:", end) == trace_hook_shape
          && watch([Tasks class], "two:and:", end) == trace_hook_shape
          && watch([Tasks class], "ranged", end) == trace_hook_shape);

  check("a pointer to an error is a word",
      watch([Tasks class], "submit:error:", end) == trace_hook_done);
  NSError *error;
  check("YES and NO come back with it",
      [tasks submit:@"good" error:&error] && ![tasks submit:@"bad" error:&error]);
  [story setString:@""];
}

static void checkOwners(void) {
  check("a method of these tests is the app's",
      trace_hook_is_apps_method([Tasks class], "endBackgroundTask:"));
  check("one of Foundation's is not", !trace_hook_is_apps_method([NSArray class], "count"));
  check("what is absent is nobody's", !trace_hook_is_apps_method([Tasks class], "absent"));
  check("a block of these tests is the app's, and none is not",
      trace_hook_is_apps_block((uintptr_t)^{}) && !trace_hook_is_apps_block(0));
}

static void checkFractions(void) {
  const void *maker = trace_hook_class_of((const void *)[Timers class]);
  check("a class's own method with a fraction is watched",
      trace_hook_watch(maker, "every:target:selector:info:repeats:", timer, 0) == trace_hook_done);
  id made = [Timers every:0.25 target:@"t" selector:@selector(fire) info:@"i" repeats:YES];
  check("its result comes back", [made isEqual:@"made"] && (id)lastResult == made);
  expect("all arguments arrive", @"<timer 0.25,t,fire,i,1 timer>");

  trace_hook_watch(maker, "every:repeats:block:", timer, 2);
  [Timers every:1.5 repeats:NO block:^(id fired) { say(fired); }];
  expect("a block behind a fraction", @"<timer 1.50,0 {timer fired timer} timer>");
  check("its argument is told", [(id)lastArgument isEqual:@"fired"]);
  trace_hook_watch([Timers class], "from:every:repeats:block:", timer, 3);
  [[Timers new] from:@"d" every:2.5 repeats:YES block:^(id fired) { say(fired); }];
  expect("a fraction in the middle", @"<timer d,2.50,1 {timer fired timer} timer>");

  wantsBlocks = 0;
  [Timers every:1.5 repeats:NO block:^(id fired) { say(fired); }];
  expect("a block that nobody wants is left alone", @"<timer 1.50,0 fired timer>");
  wantsBlocks = 1;
}

static void smash(void) {
  volatile char bytes[4096];
  memset((void *)bytes, 0x41, sizeof bytes);
}

/* It stands deeper in the stack than the call that has raised, whose frame it leaves as it is. */
static __attribute__((noinline)) void deeper(id raiser, id scene) {
  volatile char bytes[4096];
  bytes[0] = 0;
  @try {
    [raiser sceneDidBecomeActive:scene];
  } @catch (id raised) {
    say(@"caught");
  }
  bytes[1] = 0;
}

static void checkExceptions(void) {
  id raiser = [Raiser new], scene = @"scene";
  Class cls = [Raiser class];
  watch(cls, "sceneDidBecomeActive:", active);
  watch(cls, "sceneWillResignActive:", background);
  watch(cls, "sceneDidEnterBackground:", session);
  trace_hook_watch((const void *)cls, "every:block:", timer, 1);
  @try {
    [raiser sceneDidBecomeActive:scene];
  } @catch (id raised) {
    say(@"caught");
  }
  expect("a call that an exception ends is told as ended", @"<active raises active> caught");
  check("without a result", lastResult == 0);
  deeper(raiser, scene);
  expect("and the same one again", @"<active raises active> caught");
  smash();
  [raiser sceneWillResignActive:scene];
  expect("another one is told as always", @"<background quiet background>");

  @try {
    [raiser sceneDidEnterBackground:scene];
  } @catch (id raised) {
    say(@"caught");
  }
  expect("all calls that it passes through end, the inner one first",
      @"<session <active raises active> session> caught");
  @try {
    [raiser every:0.5 block:^{ [raiser sceneDidBecomeActive:scene]; }];
  } @catch (id raised) {
    say(@"caught");
  }
  expect("a block that it ends is told as ended",
      @"<timer {timer <active raises active> timer} timer> caught");
}

static void checkMethods(void) {
  const char *selector = "applicationDidBecomeActive:";
  const void *method = trace_hook_method_of([Inheriting class], selector);
  check("heirs share the method that they inherit",
      method && method == trace_hook_method_of([Heir class], selector));
  check("and not one of their own", method != trace_hook_method_of([Subclass class], selector));
  check("what is absent is no method", !trace_hook_method_of([Heir class], "absent"));
  check("a method under another token is taken",
      watch([Heir class], selector, background) == trace_hook_taken);
}

static void checkApplication(void) {
  check("there is no application before it is made", trace_hook_application() == NULL);
  shared = [UIApplication new];
  check("it is found when it is there", trace_hook_application() == (const void *)shared);
  check("setDelegate: is watched",
      trace_hook_watch(trace_hook_class_named("UIApplication"), "setDelegate:", sets, 0)
          == trace_hook_done);
  [shared setDelegate:@"delegate"];
  expect("a delegate that is set is told", @"<sets sets>");
  check("no class has that name", trace_hook_class_named("NoSuchClass") == NULL);
}

static void checkStop(void) {
  int room = trace_hook_room(1);
  check("places are counted", room > 0 && room < 64 && trace_hook_room(9) == 0);
  check("one method is in another SDK's hands", trace_hook_stop() == 1);
  [[Delegate new] applicationDidBecomeActive:nil];
  expect("what was given back is silent", @"active");
}

int main(void) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  story = [NSMutableString new];
  trace_hook_start(&(trace_hook_events){entered, left, blockEntered, blockLeft});
  checkCalls();
  checkBlocks();
  checkInheritance();
  checkNumberArguments();
  checkForwarding();
  checkForeign();
  checkNumbers();
  checkOwners();
  checkFractions();
  checkExceptions();
  checkMethods();
  checkApplication();
  checkStop();
  [pool drain];
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
