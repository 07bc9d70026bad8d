
// The start of the page, and what is left of it where it cannot start.

const openAll = () => allOf('details').forEach((one) => { one.open = true; });

function layLabels() {
  const head = make('div');
  head.style.height = `${RULER + 4}px`;
  byId('labels').append(head);
  for (const lane of lanes) {
    lane.label = make('div', '', lane.title);
    lane.label.title = lane.title;
    if (lane.hidden) lane.label.append(make('i', '', ` +${lane.hidden}`));
    lane.label.style.height = `${lane.height + 6}px`;
    byId('labels').append(lane.label);
  }
}

let data;

// Shows what needs the script, in place of what does not.
function setLive(isLive) {
  document.body.classList.toggle('live', isLive);
  for (const one of allOf('.script')) one.hidden = !isLive;
}

async function start() {
  data = readData(await unpacked(byId('data').textContent));
  data.findings = readFindings();
  byId('data').remove();
  [canvas, map] = [byId('picture'), byId('map')];
  [pen, mapPen] = [canvas.getContext('2d'), map.getContext('2d')];
  for (const { witnesses } of data.findings) for (const { event } of witnesses) list.evidence.add(event);
  setLive(true);
  findingItems().forEach((item, index) => { item.querySelector('details').open = index === 0; });
  for (const one of allOf('details.aside')) one.open = false;
  layTime();
  layLanes();
  layLimits();
  layAllLeftOut();
  layLabels();
  listen();
  resize();
  chooseAxis(data.knots[0].length < 3 ? 'clock' : 'story');
  if (!follow()) {
    if (data.findings.length) chooseFinding(0, false, false); else go(data.end ?? data.count - 1);
  }
  draw();
  document.body.dataset.ready = data.count;
}

start().catch((error) => {
  setLive(false);
  tell('trouble', `This browser cannot draw the timeline (${error.message}); the lists tell all.`);
  byId('trouble').hidden = false;
});
