// A fault tree: its sets, P(top), and how much each event matters.

const program = new Program('faults');
const state = new State(program);
const CHECKS = ['curve', 'sil', 'uncertain', 'ccf'];
const FIELDS = ['sets', 'gate', 'order', 'cut-off', 'mission', 'step', 'trials'];
const HOURS = 8760; // the mission time where none is given
const isChecked = (id) => byId(id).checked;

const refused = () => { byId('answer').hidden = true; };
const input = new Input(byId('text'), ask, (sentence) => state.refuse(sentence));
whenChanged(byId('options'), ask);
byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});

function question(names) {
  const asked = { files: names, sets: byId('sets').value, limit_order: numberIn('order'), cut_off: numberIn('cut-off'), mission_time: numberIn('mission') };
  if (byId('gate').value.trim()) asked.top = byId('gate').value.trim();
  if (isChecked('ccf')) asked.ccf = true;
  if (isChecked('curve') || isChecked('sil')) {
    asked.time_step = numberIn('step') ?? (numberIn('mission') || HOURS) / 100;
    if (isChecked('sil')) asked.sil = true;
  }
  if (isChecked('uncertain')) asked.uncertainty = numberIn('trials') ?? 1000;
  return asked;
}

function link() {
  const fields = Object.fromEntries(FIELDS.map((id) => [id, byId(id).value]));
  if (fields.sets === 'cuts') delete fields.sets;
  if (fields.trials === '1000') delete fields.trials;
  const checks = Object.fromEntries(CHECKS.map((id) => [id, isChecked(id) && 'yes']));
  Link.write({ ...fields, ...checks, text: input.linked() });
}

function ask() {
  if (!isAskable(input, state, refused)) return;
  link();
  const { names, all } = input.bytes();
  const asked = question(names);
  const wanted = { cuts: { ...asked, page: true, curve: asked.time_step !== undefined } };
  state.ask({ ask: wanted }, ({ text, json }) => {
    show(text, json, asked, all);
    const what = { cuts: json.coherent ? 'minimal cut sets' : 'minimal p-cuts', paths: 'minimal path sets', prime_implicants: 'prime implicants' }[json.sets_are] ?? 'sets';
    return `${json.count} ${what}${json.stop ? ' were found' : ''}.`;
  }, { file: all, refused });
}

function show(text, json, asked, all) {
  const more = moreOf(text);
  byId('answer').hidden = false;
  byId('figure').textContent = figureOf(json);
  const frame = framed(more.page, 'The answer as a page');
  const keep = (label, name, made, type) => element('button', { type: 'button', click: () => save(name, made, type) }, label);
  byId('exports').replaceChildren(
    keep('JSON', 'cuts.json', lineOfAnswer(text), 'application/json'),
    element('button', { type: 'button', id: 'csv', click: () => saveSets(asked, all) }, 'CSV: the sets'),
    ...(more.points ? [keep('CSV: P(top) over time', 'curve.csv', more.points, 'text/csv'), keep('SVG: P(top) over time, large', 'curve.svg', more.picture, 'image/svg+xml')] : []),
    keep('Page', 'cuts.html', more.page, 'text/html'));
  pictureButtons(frame, byId('exports'));
  byId('page').replaceChildren(frame);
}

// P(top), or its bounds after a limit, and the time for which it holds.
function figureOf({ probability, mission_time: hours }) {
  if (probability === null) return 'P(top) is not known.';
  const at = hours === undefined ? '' : ` at ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  if (typeof probability === 'number') return `P(top) is ${probability.toExponential(6)}${at}.`;
  return `P(top) lies from ${probability.lower.toExponential(6)} to ${probability.upper.toExponential(6)}${at}.`;
}

// Sets are only enumerated when they are written, so all sets are asked for on demand.
function saveSets(asked, all) {
  const { time_step, sil, uncertainty, ...others } = asked;
  state.ask({ ask: { cuts: { ...others, csv: true } }, mebibytes: 512 }, ({ text }) => {
    const { csv } = moreOf(text);
    save('sets.csv', csv, 'text/csv');
    return `${csv.split('\n').length - 1} lines were saved.`;
  }, { file: all });
}

function load() {
  const start = Link.read();
  byId('ask').reset();
  const wrong = Link.fillAll(start, Object.fromEntries([...FIELDS, ...CHECKS].map((id) => [id, [id]])), ['text']);
  byId('sets').selectedIndex = Math.max(byId('sets').selectedIndex, 0);
  if (Object.keys(start).some((id) => id !== 'text' && id !== 'sets')) byId('options').open = true;
  input.follow(start, wrong, state, refused);
}
Link.follow(load);
load();
