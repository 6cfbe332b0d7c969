// A suit: who has which card, the chances, and the line that is played card by card.

const program = new Program('bridge');
const state = new State(program);
const FIELDS = ['north', 'south'];
const SLIDERS = [['west-vacant', 'west-places'], ['east-vacant', 'east-places'], ['least', 'least-cards'], ['most', 'most-cards']];
const MOST_LETTERS = 100;
const known = { west: '', east: '' };
let wanted = null; // the goal that the user chose: a number of tricks, or 'average'
let goal = null; // the goal that is shown
let found = null; // the table of all goals
let play = null;
let later = 0;

// The question.

const number = (id) => Number(byId(id).value);

function question() {
  const suit = { north: byId('north').value.trim() || '-', south: byId('south').value.trim() || '-' };
  const vacant = [number('west-vacant'), number('east-vacant')];
  const length = [number('least'), number('most')];
  if (vacant.some((places) => places !== 13)) suit.vacant = vacant;
  if (length[0] !== 0 || length[1] !== 13) suit.west_length = length;
  if (known.west) suit.west = known.west;
  if (known.east) suit.east = known.east;
  return suit;
}

function link() {
  const suit = question();
  Link.write({
    n: suit.north, s: suit.south, goal: wanted, w: known.west, e: known.east,
    vacant: suit.vacant?.join(), length: suit.west_length?.join(),
  });
}

// Shows the question, and no answer to another one.
function draw() {
  drawDeck();
  for (const [slider, shown] of SLIDERS) byId(shown).textContent = byId(slider).value;
  byId('compared').replaceChildren();
  byId('compared-said').textContent = '';
}

function refused() {
  found = null;
  byId('answer').hidden = true;
}

function ask() {
  link();
  draw();
  return state.ask({ ask: { suit: question() } }, ({ json }) => {
    found = json;
    drawDeck();
    byId('answer').hidden = false;
    const isThere = json.goals.some((row) => row.goal === wanted);
    show(isThere ? wanted : firstGoal(json));
    if (byId('by').value) compare();
    return `${json.missing === '-' ? 'Nothing is' : `${json.missing} ${json.missing.length === 1 ? 'is' : 'are'}`} missing, in ${json.layouts.length} layouts.`;
  }, { refused });
}

// The goal that is worth a question: the most tricks that are likely, and not certain.
function firstGoal({ goals }) {
  const open = goals.filter((row) => row.goal !== 'average' && row.numerator > 0 && row.numerator < row.denominator);
  return (open.find((row) => row.probability >= 0.5) ?? open[0] ?? goals[0]).goal;
}

// The deck.

const letters = (text) => text.toUpperCase().replaceAll('10', 'T');
const sorted = (cards) => [...RANKS].filter((rank) => cards.includes(rank)).join('');

function held(field) {
  // Cards typed as `x` are known once the program has named them.
  const typed = letters(byId(field).value);
  return typed.includes('X') && found ? found[field] : typed;
}

function drawDeck() {
  const deck = byId('deck');
  const cards = [...RANKS];
  const own = { north: held('north'), south: held('south') };
  const put = (place) => (card) => {
    const had = (place in own ? own[place] : known[place]).includes(card);
    for (const field of FIELDS) {
      if (own[field].includes(card)) byId(field).value = sorted(own[field].replaceAll(card, ''));
    }
    for (const side of ['west', 'east']) known[side] = known[side].replaceAll(card, '');
    if (!had && place in own) byId(place).value = sorted(own[place] + card);
    else if (!had) known[place] = sorted(known[place] + card);
    ask();
  };
  const taken = (card) => own.north.includes(card) || own.south.includes(card);
  redraw(deck,
    ...deckRow('North', cards, (card) => own.north.includes(card), put('north')),
    ...deckRow('South', cards, (card) => own.south.includes(card), put('south')),
    ...deckRow('West', cards, (card) => known.west.includes(card), put('west'), taken),
    ...deckRow('East', cards, (card) => known.east.includes(card), put('east'), taken));
}

// The answer.

const goalName = (goal) => (goal === 'average' ? 'average' : `${goal} trick${goal === 1 ? '' : 's'}`);
// A chance or an average; after a stop what is reached, and what cannot be passed.
const ranged = (row, shown) => (row.exact ? shown(row.numerator) : `${shown(row.numerator)} to ${shown(row.bound)}`);
const rounded = (row) => ranged(row, (weight) => (row.goal === 'average' ? (weight / row.denominator).toFixed(2) : percent(weight, row.denominator)));
const exactly = (row) => ranged(row, (weight) => fraction(weight, row.denominator));
const lineOf = (row) => found.lines.find((line) => line.name === row.line);

function choose(chosen) {
  wanted = chosen;
  link();
  show(chosen);
}

function show(chosen) {
  goal = chosen;
  const row = found.goals.find((row) => row.goal === goal);
  const line = lineOf(row);
  const what = goal === 'average' ? ' tricks on average' : ` for ${goalName(goal)}`;
  byId('figure').replaceChildren(element('span', { class: 'big' }, rounded(row)), what,
    element('span', { class: 'quiet' }, row.exact ? ` (exactly ${exactly(row)})` : ` (a limit stopped the search: ${exactly(row)})`));
  const rows = found.goals.map((row) => [
    element('button', { type: 'button', 'aria-pressed': String(row.goal === goal), 'aria-label': `Play for ${goalName(row.goal)}`, click: () => choose(row.goal) }, goalName(row.goal)),
    rounded(row), exactly(row), row.line ?? '–',
  ]);
  const shown = table('The best for each goal', 1, ['at least', 'best chance', 'exactly', 'line'], rows);
  shown.querySelectorAll('tbody tr').forEach((line, place) => line.classList.toggle('chosen', found.goals[place].goal === goal));
  redraw(byId('goals'), shown);
  byId('words').replaceChildren(...(line ? [
    ...(line.in_short ? [element('p', {}, `In short: ${line.in_short}.`)] : []), wordsOf(line.text),
  ] : [element('p', {}, row.exact ? 'There is no line: the goal is out of reach.' : 'There is no line: the search was stopped before there was one.')]));
  begin();
  // In a separate task, as there can be a hundred layouts.
  clearTimeout(later);
  later = setTimeout(drawLayouts);
}

function drawLayouts() {
  const total = found.goals[0].denominator;
  const rows = found.layouts.map((layout) => [
    layout.west, layout.east, percent(layout.weight, total), fraction(layout.weight, total),
    ...layout.tricks.map((tricks) => ({ text: String(tricks), className: goal === 'average' ? '' : tricks >= goal ? 'good' : 'bad' })),
  ]);
  byId('all-layouts').replaceChildren(table('The tricks that each line guarantees in each layout', 2,
    ['West', 'East', 'chance', 'exactly', ...found.lines.map((line) => `line ${line.name}`)], rows));
}

// Lines compared.

function compare() {
  const by = byId('by').value;
  byId('contract-label').hidden = by !== 'imps';
  byId('compared').replaceChildren();
  byId('compared-said').textContent = '';
  if (!by || !found) return;
  const asked = question();
  if (by === 'matchpoints') asked.matchpoints = true;
  else {
    if (goal === 'average') {
      byId('compared-said').textContent = 'Choose a number of tricks above: it is what makes the contract.';
      return;
    }
    if (byId('contract').value.trim() === '') {
      byId('compared-said').textContent = 'Write a contract, such as 4S: it is what IMPs are for.';
      return;
    }
    Object.assign(asked, { imps: byId('contract').value, tricks: goal });
  }
  state.ask({ ask: { suit: asked } }, ({ json }) => {
    const total = json.denominator;
    const names = json.lines.map((line) => line.name);
    const shown = (margin) => (margin === null || margin === undefined ? '' : signed(margin, total, by));
    const rows = json.lines.map((line, place) => [line.name, ...names.map((_, other) => (place === other ? '' : shown(json.margins[place][other])))]);
    const words = by === 'matchpoints' ? 'How much oftener a line takes more tricks than another than fewer' : `IMPs of a line against another on average, ${json.contract}`;
    byId('compared').replaceChildren(table(words, 1, ['line', ...names.map((name) => `against ${name}`)], rows),
      ...json.lines.filter((line) => line.name === json.best).map((line) => wordsOf(line.text)));
    byId('compared-said').textContent = json.best ? `No line beats line ${json.best}:` : json.cycle ? `Every line is beaten: ${json.cycle.join(' by ')}.` : 'Whether a line is beaten by none is not known.';
    return 'Lines are compared.';
  });
}

function signed(margin, total, by) {
  if (margin === 0) return '0';
  const size = by === 'matchpoints' ? percent(Math.abs(margin), total) : (Math.abs(margin) / total).toFixed(2);
  return (margin > 0 ? '+' : '–') + size;
}

// The play.
//
// A step is a card of one player. The tree of the line says what declarer plays after each card of
// the defenders; a defender's card is one of a kind, or none.

const NEXT = { north: 'east', east: 'south', south: 'west', west: 'north' };
const SAID = { north: 'North', east: 'East', south: 'South', west: 'West' };

function begin() {
  const row = found.goals.find((row) => row.goal === goal);
  const line = lineOf(row);
  play = line ? start(line) : null;
  if (play) forward(play);
  drawPlay();
}

function start(line) {
  return {
    line,
    place: found.lines.indexOf(line),
    tree: line.strategy,
    kinds: kindsOf(line.strategy),
    held: { north: [...found.north.replaceAll('-', '')], south: [...found.south.replaceAll('-', '')] },
    played: { west: [], east: [] },
    out: { west: false, east: false },
    trick: null, // who leads, the cards on the table, and the options of who is next
    tricks: 0,
    lost: 0,
    story: [],
    past: [],
  };
}

// The kinds of the defenders' cards that the line distinguishes, and the other cards one by one.
function kindsOf(tree) {
  const kinds = new Set();
  const open = [tree];
  while (open.length > 0) {
    const next = open.pop();
    for (const second of next?.then ?? []) {
      if (second.second && second.second !== '-') kinds.add(second.second);
      for (const fourth of second.then) {
        if (fourth.fourth && fourth.fourth !== '-') kinds.add(fourth.fourth);
        if (fourth.next !== 'any') open.push(fourth.next);
      }
    }
  }
  const all = [...kinds];
  for (const card of found.missing.replaceAll('-', '')) {
    if (!all.some((kind) => kind.includes(card))) all.push(card);
  }
  return all;
}

const countOf = (cards, kind) => [...cards].filter((card) => kind.includes(card)).length;

// The layouts that agree with the cards that were seen.
function possible({ kinds, played, out }) {
  return found.layouts.filter((layout) => ['west', 'east'].every((side) => {
    const cards = layout[side].replaceAll('-', '');
    const fits = kinds.every((kind) => countOf(played[side], kind) <= countOf(cards, kind));
    return fits && (!out[side] || cards.length === played[side].length);
  }));
}

// Declarer plays as long as it is declarer's turn.
function forward(at) {
  while (true) {
    if (!at.trick) {
      if (at.tree === 'any') return;
      const from = at.tree.from.toLowerCase();
      at.trick = { cards: {}, turn: from, then: at.tree.then, first: from };
      put(at, from, at.tree.lead);
      at.trick.turn = NEXT[from];
      continue;
    }
    const { trick } = at;
    const count = Object.keys(trick.cards).length;
    if (count === 4) {
      const best = Object.entries(trick.cards).filter(([, card]) => card !== '-')
        .sort(([, a], [, b]) => RANKS.indexOf(a) - RANKS.indexOf(b))[0][0];
      const own = best === 'north' || best === 'south';
      if (own) at.tricks++;
      else at.lost++;
      at.story.push(`${trickWords(trick)}: ${SAID[best]} wins.`);
      at.tree = trick.next;
      at.last = trick.cards;
      at.trick = null;
      continue;
    }
    if (count === 2) {
      // The third hand: the card that the line has for what the second player did.
      put(at, trick.turn, trick.chosen.third ?? '-');
      trick.then = trick.chosen.then;
      trick.turn = NEXT[trick.turn];
      continue;
    }
    const options = optionsOf(at);
    if (options.length === 1 && options[0].card === '-') {
      answerWith(at, options[0]);
      continue;
    }
    return;
  }
}

function put(at, who, card) {
  at.trick.cards[who] = card;
  if (who in at.held) at.held[who] = at.held[who].filter((other) => other !== card);
  else if (card === '-') at.out[who] = true;
  else at.played[who].push(card);
}

// What the defender whose turn it is can play: cards, each with the branch of the tree.
function optionsOf(at) {
  const { trick } = at;
  const name = Object.keys(trick.cards).length === 1 ? 'second' : 'fourth';
  const gone = [...at.played.west, ...at.played.east];
  return trick.then.flatMap((branch) => {
    const kind = branch[name];
    if (kind === null || kind === '-') return [{ card: '-', branch }];
    // Of equal cards the defender plays the lowest.
    const left = [...kind].filter((card) => !gone.includes(card));
    return left.length > 0 ? left.map((card) => ({ card, branch })) : [];
  });
}

function answerWith(at, { card, branch }) {
  const { trick } = at;
  put(at, trick.turn, card);
  trick.turn = NEXT[trick.turn];
  if ('third' in branch) trick.chosen = branch;
  else trick.next = branch.next;
}

const trickWords = (trick) => {
  const order = [trick.first, NEXT[trick.first], NEXT[NEXT[trick.first]], NEXT[NEXT[NEXT[trick.first]]]];
  return order.map((who) => `${SAID[who]} ${trick.cards[who] === '-' ? 'none' : saidCard(trick.cards[who])}`).join(', ');
};

const copyOf = (at) => ({
  ...at,
  held: { ...at.held },
  played: { west: [...at.played.west], east: [...at.played.east] },
  out: { ...at.out },
  story: [...at.story],
  trick: at.trick && { ...at.trick, cards: { ...at.trick.cards } },
});

function step(option) {
  const before = copyOf(play);
  answerWith(play, option);
  forward(play);
  play.past = [...before.past, before];
  drawPlay();
}

// Best defence: takes the likeliest remaining layout in which the line fails, and there the card
// after which the line takes the fewest tricks.
function bestDefence(at) {
  const options = optionsOf(at);
  const wanted = goal === 'average' ? 0 : goal;
  const left = possible(at).sort((a, b) => {
    const [fails, other] = [a, b].map((layout) => (wanted ? layout.tricks[at.place] >= wanted : layout.tricks[at.place]));
    return Number(fails) - Number(other) || b.weight - a.weight;
  });
  for (const layout of left) {
    const side = at.trick.turn;
    const cards = layout[side].replaceAll('-', '');
    const can = options.filter(({ card, branch }) => {
      if (card === '-') return cards.length === at.played[side].length;
      const kind = branch.second ?? branch.fourth;
      return countOf(cards, kind) > countOf(at.played[side], kind);
    });
    if (can.length === 0) continue;
    const worth = can.map((option) => [option, after(at, option, layout)]);
    const least = Math.min(...worth.map(([, tricks]) => tricks));
    return worth.filter(([, tricks]) => tricks === least).at(-1)[0];
  }
  return options[0];
}

// The tricks of the line after this card in a layout, against best defence.
function after(at, option, layout) {
  const next = copyOf(at);
  answerWith(next, option);
  forward(next);
  return worthOf(next, layout);
}

function worthOf(at, layout) {
  if (!at.trick) return at.tricks + cashed(at, layout);
  const side = at.trick.turn;
  const cards = layout[side].replaceAll('-', '');
  const can = optionsOf(at).filter(({ card, branch }) => {
    if (card === '-') return cards.length === at.played[side].length;
    const kind = branch.second ?? branch.fourth;
    return countOf(cards, kind) > countOf(at.played[side], kind);
  });
  // Of equal cards one is enough.
  const kinds = new Map(can.map((option) => [option.branch, option]));
  return Math.min(...[...kinds.values()].map((option) => after(at, option, layout)), Infinity);
}

// The tricks if both sides play the rest from the top.
function cashed(at, layout) {
  const rank = (card) => RANKS.indexOf(card);
  const remaining = (side) => {
    const cards = [...layout[side].replaceAll('-', '')];
    for (const played of at.played[side]) {
      const kind = at.kinds.find((kind) => kind.includes(played));
      cards.splice(cards.findIndex((card) => kind.includes(card)), 1);
    }
    return cards.sort((a, b) => rank(a) - rank(b));
  };
  const own = [at.held.north, at.held.south].map((cards) => [...cards].sort((a, b) => rank(a) - rank(b)));
  const others = [remaining('west'), remaining('east')];
  let tricks = 0;
  while (own[0].length > 0 || own[1].length > 0) {
    const from = own[1].length === 0 || (own[0].length > 0 && rank(own[0][0]) < rank(own[1][0])) ? 0 : 1;
    const lead = own[from].shift();
    own[1 - from].pop();
    const beats = others.some((cards) => cards.length > 0 && rank(cards[0]) < rank(lead));
    if (!beats) tricks++;
    const winner = beats ? (others[1].length === 0 || (others[0].length > 0 && rank(others[0][0]) < rank(others[1][0])) ? 0 : 1) : -1;
    others.forEach((cards, place) => (place === winner ? cards.shift() : cards.pop()));
  }
  return tricks;
}

function drawPlay() {
  const target = byId('table');
  if (!play) {
    target.replaceChildren(element('p', {}, 'There is nothing to play.'));
    return;
  }
  const left = possible(play);
  const total = left.reduce((sum, layout) => sum + layout.weight, 0);
  const isOver = !play.trick;
  const trick = play.trick?.cards ?? play.last ?? {};
  const turn = play.trick?.turn;
  const options = isOver ? [] : optionsOf(play);
  const words = {};
  for (const side of ['west', 'east']) {
    const seen = play.played[side].map((card) => cardElement(card));
    words[side] = element('span', {}, ...seen, play.out[side] ? ' no more' : '');
  }
  const moves = element('div', { class: 'moves', role: 'group', 'aria-label': 'Cards to choose' },
    ...(isOver ? [] : [`${SAID[turn]} plays `]),
    ...options.map((option) => (option.card === '-'
      ? element('button', { type: 'button', click: () => step(option) }, 'shows out')
      : cardElement(option.card, { click: () => step(option), label: `${SAID[turn]} plays the ${saidCard(option.card)}` }))));
  const buttons = element('p', {},
    element('button', { type: 'button', id: 'best', disabled: isOver, click: () => step(bestDefence(play)) }, 'Best defence'),
    element('button', { type: 'button', id: 'back', disabled: play.past.length === 0, click: () => { play = play.past.at(-1); drawPlay(); } }, 'Back'),
    element('button', { type: 'button', id: 'again', disabled: play.past.length === 0, click: begin }, 'From the beginning'));
  const seat = element('div', {},
    felt({ hands: { north: play.held.north, south: play.held.south }, trick, words, names: SAID }),
    element('p', { id: 'now', 'aria-live': 'polite' }, nowWords(left, total)),
    moves, buttons,
    ...(play.story.length > 0 ? [element('ol', { class: 'story' }, ...play.story.map((said) => element('li', {}, said)))] : []));
  redraw(target, seat,
    table('What is still possible', 2, ['West', 'East', 'chance', 'tricks'], left.map((layout) => [
      layout.west, layout.east, percent(layout.weight, total),
      { text: `${layout.tricks[play.place]}`, className: goal === 'average' ? '' : layout.tricks[play.place] >= goal ? 'good' : 'bad' },
    ])));
}

function nowWords(left, total) {
  const count = `${play.tricks} trick${play.tricks === 1 ? '' : 's'} won, ${play.lost} lost.`;
  const wins = left.filter((layout) => goal === 'average' || layout.tricks[play.place] >= goal);
  const weight = wins.reduce((sum, layout) => sum + layout.weight, 0);
  const chance = goal === 'average' || total === 0 ? '' : ` With what was seen the line takes ${goalName(goal)} in ${play.line.at_least ? 'at least ' : ''}${wins.length} of ${left.length} layouts, ${percent(weight, total)} of them by weight.`;
  if (!play.trick) {
    const done = goal !== 'average' && play.tricks >= goal ? `${goalName(goal)}: the goal is reached.` : 'Nothing depends on the rest any more: high cards from the top take what can be taken.';
    return `${count} ${done}${chance}`;
  }
  const { cards, turn, first } = play.trick;
  const third = NEXT[NEXT[first]];
  const own = cards[third] === undefined
    ? `${SAID[first]} leads the ${saidCard(cards[first])}.`
    : `${SAID[third]} plays ${cards[third] === '-' ? 'no card of the suit' : `the ${saidCard(cards[third])}`}.`;
  return `${own} ${SAID[turn]} is to play. ${count}${chance}`;
}

// The controls.

byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});
for (const field of FIELDS) {
  byId(field).addEventListener('input', ask);
  guardPaste(byId(field), MOST_LETTERS, (sentence) => state.refuse(sentence));
}
guardPaste(byId('contract'), MOST_LETTERS, (sentence) => state.refuse(sentence));
for (const [slider] of SLIDERS) byId(slider).addEventListener('input', ask);
byId('by').addEventListener('change', compare);
byId('contract').addEventListener('input', compare);

function load() {
  const asked = Link.read();
  byId('north').value = asked.n ?? 'AQT98';
  byId('south').value = asked.s ?? '5432';
  known.west = sorted(letters(asked.w ?? ''));
  known.east = sorted(letters(asked.e ?? ''));
  for (const [slider] of SLIDERS) byId(slider).value = byId(slider).defaultValue;
  byId('known').open = Boolean(asked.vacant || asked.length);
  wanted = asked.goal === 'average' ? 'average' : Number(asked.goal ?? 0) || null;
  const wrong = Link.fillAll(asked, { vacant: ['west-vacant', 'east-vacant'], length: ['least', 'most'] }, ['n', 's', 'w', 'e', 'goal']);
  if (!/^(average|[1-9]|1[0-3])$/.test(asked.goal ?? 'average')) wrong.push('goal');
  state.follow(asked, wrong, ask, () => {
    draw();
    refused();
  });
}
Link.follow(load);
load();
