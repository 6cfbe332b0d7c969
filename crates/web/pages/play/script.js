// A game against the program. The moves so far are the whole state; the program says what the
// position is and what its moves are worth.

const program = new Program('play');
const state = new State(program);
const SIZES = {
  'connect-four': [['7 columns, 6 rows', { columns: 7, rows: 6 }], ['5 columns, 5 rows', { columns: 5, rows: 5 }], ['4 columns, 4 rows', { columns: 4, rows: 4 }]],
  kalah: [['4 pits with 3 seeds', { pits: 4, seeds: 3 }], ['6 pits with 4 seeds', { pits: 6, seeds: 4 }], ['3 pits with 2 seeds', { pits: 3, seeds: 2 }]],
  'tic-tac-toe': [['3 by 3', {}]],
  racing: [['10 cards', { deck: 10, goal: 2, hand_size: 3 }], ['8 cards', { deck: 8, goal: 2, hand_size: 2 }], ['12 cards', { deck: 12, goal: 2, hand_size: 4 }]],
};
const RULES = {
  'connect-four': 'Stones fall to the lowest free cell of a column. The first with four in a line wins. MAX has X and begins.',
  kalah: 'The seeds of a pit are sown one by one, through the player’s own store. A player whose last seed falls there moves again; a last seed in the player’s own empty pit captures the seeds opposite.',
  'tic-tac-toe': 'Three in a line win. MAX has X and begins.',
  racing: 'The higher card wins the trick, and its owner leads to the next. MAX does not see MIN’s hand; MIN sees both. The first to win as many tricks as the goal wins.',
};
// The depths to which the program searches where the end is too far, and its time in all.
const DEPTHS = { 'connect-four': [14, 10, 6], kalah: [8, 6, 3], 'tic-tac-toe': [9] };
const SECONDS = [0.6, 1.2];
let game = null; // its name, its keys, the moves so far, the side of the user
let position = null; // what the program said of it
let seed = 1;

function begin() {
  const name = byId('game').value;
  const keys = SIZES[name][Number(byId('size').value) || 0][1];
  game = { name, keys, moves: [], side: byId('side').value, seed };
  think();
}

function drawSizes() {
  byId('size').replaceChildren(...SIZES[byId('game').value].map(([name], place) => element('option', { value: place }, name)));
  byId('side').options[0].textContent = byId('game').value === 'racing' ? 'MAX, who sees her own hand' : 'MAX, who begins';
  byId('side').options[1].textContent = byId('game').value === 'racing' ? 'MIN, who sees both hands' : 'MIN';
  byId('rules').textContent = RULES[byId('game').value];
}

byId('game').addEventListener('change', () => {
  drawSizes();
  begin();
});
for (const id of ['size', 'side']) byId(id).addEventListener('change', begin);
byId('setup').addEventListener('submit', (event) => {
  event.preventDefault();
  seed++;
  begin();
});
byId('worth').addEventListener('change', () => draw());
byId('undo').addEventListener('click', () => {
  if (game.moves.length === 0) return;
  // Back to the last position in which it was the same player's turn as a person.
  do game.moves.pop();
  while (game.moves.length > 0 && game.side !== 'both' && game.movers?.[game.moves.length] !== game.side);
  // If the program has the first move, it moves again.
  think();
});

// The questions for the value of the position: to the end if that is quick, or else to each depth.
function questions() {
  if (game.name === 'racing') return [[{ racing: { ...game.keys, seed: game.seed, min_seed: game.seed, played: game.moves } }, 5]];
  const board = { game: game.name, ...game.keys, moves: game.moves.join(''), lattice: { type: 'chain' } };
  const depths = DEPTHS[game.name].map((depth, place) => [{ board: { ...board, depth } }, place === 0 ? SECONDS[1] : 0.5]);
  return isNearTheEnd() ? [[{ board }, SECONDS[0]], ...depths] : depths;
}

// Whether a search to the end is quick enough to wait for.
function isNearTheEnd() {
  const { columns, rows, pits, seeds } = game.keys;
  if (game.name === 'connect-four') return columns * rows - game.moves.length <= 30;
  if (game.name === 'kalah') return 2 * pits * seeds <= 24 || game.moves.length >= 16;
  return true;
}

function think() {
  position = null;
  draw();
  const all = questions();
  const [of, count] = [game, game.moves.length];
  // Whether the answer is still wanted: a move may be taken back between two questions.
  const isAsked = () => of === game && count === game.moves.length && position === null;
  const next = (place) => state.ask({ ask: all[place][0], seconds: all[place][1] }, ({ text, json, isComplete }) => {
    if (!isComplete && place + 1 < all.length) {
      setTimeout(() => isAsked() && next(place + 1));
      return 'Looking ahead.';
    }
    position = game.name === 'racing' ? json : { ...json, more: moreOf(text) };
    (game.movers ??= [])[game.moves.length] = position.to_move;
    draw();
    // Of this position: another may be asked for until the time has come.
    const answered = position;
    if (answered.to_move && game.side !== 'both' && answered.to_move !== game.side) setTimeout(() => answerMove(answered), 250);
    return game.name === 'racing' ? 'The deal is searched.' : `${json.stats.visits} positions were visited.`;
  }, {
    refused: () => { byId('turn').textContent = 'Nothing is known of this position.'; },
    stopped: () => { byId('turn').textContent = 'The program was stopped, and says nothing of this position: take a move back, or begin a new game.'; },
  });
  return next(0);
}

// The move that the program makes: the first of the best line, or what looks best without one.
function bestMove() {
  if (game.name === 'racing') return position.best;
  if (position.line.length > 0) return position.line[0];
  const sign = position.to_move === 'MAX' ? 1 : -1;
  const worth = (move) => sign * (move.value ?? move.estimate ?? (move.lower + move.upper) / 2);
  return [...position.moves].sort((a, b) => worth(b) - worth(a))[0]?.move;
}

function answerMove(of) {
  if (of !== position) return;
  const move = bestMove();
  if (move !== undefined && move !== null) play(move);
}

function play(move) {
  game.moves.push(move);
  think();
}

// The board.

const isTurn = () => position && position.to_move && (game.side === 'both' || position.to_move === game.side);

function draw() {
  byId('undo').disabled = game.moves.length === 0;
  byId('moves').textContent = game.moves.join(' ') || 'none';
  byId('board').setAttribute('aria-busy', String(!position));
  if (!position) {
    byId('turn').textContent = 'The program thinks.';
    for (const button of byId('board').querySelectorAll('button')) button.disabled = true;
    return;
  }
  const over = position.to_move === null;
  const end = game.name === 'racing' ? (position.max_has_won ? 'MAX wins' : 'MIN wins') : position.more.result;
  byId('turn').textContent = over ? `The game is over: ${end}.` : isTurn() ? `${position.to_move} is to move: your turn.` : `${position.to_move} is to move: the program’s turn.`;
  const shows = byId('worth').checked;
  byId('says').textContent = shows && !over ? (game.name === 'racing' ? `${position.says}.` : `The position is worth ${position.more.says}.`) : '';
  const draws = { 'connect-four': drawConnectFour, kalah: drawKalah, 'tic-tac-toe': drawTicTacToe, racing: drawRacing };
  redrawBoard(draws[game.name]());
  byId('values').replaceChildren(...(shows && !over ? [values()] : []));
}

function redrawBoard(made) {
  const had = byId('board').contains(document.activeElement) ? document.activeElement.dataset.move : null;
  byId('board').replaceChildren(made);
  if (had === null || had === undefined) return;
  const all = [...made.querySelectorAll('button:not(:disabled)')];
  (all.find((button) => button.dataset.move === had) ?? all[0])?.focus({ preventScroll: true });
}

const WORD = { 'connect-four': 'column', kalah: 'pit', 'tic-tac-toe': 'cell', racing: 'card' };

function values() {
  const best = bestMove();
  const word = WORD[game.name];
  const named = (number) => `${word} ${number}${number === best ? ', best' : ''}`;
  const rows = game.name === 'racing'
    ? position.after.map(({ card, says }) => [named(card), `${says}.`])
    : position.moves.map((move, place) => [named(move.move), position.more.moves[place]]);
  return table('What each move is worth', 2, [word, 'worth'], rows);
}

const worthOf = (number) => {
  if (!byId('worth').checked || game.name === 'racing') return '';
  const place = position.moves.findIndex((move) => move.move === number);
  return place < 0 ? '' : `, ${position.more.moves[place]}`;
};

function moveButton(number, shown, label) {
  const legal = game.name === 'racing' ? position.cards.includes(number) : position.moves.some((move) => move.move === number);
  const best = byId('worth').checked && legal && number === bestMove();
  return element('button', {
    type: 'button', 'data-move': number, disabled: !(legal && isTurn()), class: best ? 'best' : null,
    'aria-label': `${label}${worthOf(number)}`, title: worthOf(number).slice(2) || null, click: () => play(number),
  }, shown);
}

const SIGNS = { X: ['max', 'X'], O: ['min', 'O'], '.': ['', ''] };
const cell = (sign, label) => element('span', { class: `cell ${SIGNS[sign][0]}`, role: 'img', 'aria-label': `${label}: ${sign === '.' ? 'empty' : sign}` }, SIGNS[sign][1]);

// Rows from the top, as in `....../..XO../..., MAX to move`.
const rowsOf = () => position.position.split(',')[0].split('/');

function grid(columns, width, ...children) {
  const made = element('div', { class: 'grid', role: 'group', 'aria-label': 'The board' }, ...children);
  made.style.gridTemplateColumns = `repeat(${columns}, minmax(0, ${width}))`;
  return made;
}

function drawConnectFour() {
  const rows = rowsOf();
  const columns = rows[0].length;
  const buttons = Array.from({ length: columns }, (_, place) => moveButton(place + 1, String(place + 1), `Column ${place + 1}`));
  const cells = rows.flatMap((row, line) => [...row].map((sign, place) => cell(sign, `Column ${place + 1}, row ${rows.length - line}`)));
  return grid(columns, '3.2rem', ...buttons, ...cells);
}

function drawTicTacToe() {
  const signs = [...rowsOf().join('')];
  const made = grid(3, '4.5rem', ...signs.map((sign, place) => (sign === '.' ? moveButton(place + 1, String(place + 1), `Cell ${place + 1}`) : cell(sign, `Cell ${place + 1}`))));
  made.classList.add('square');
  return made;
}

// `3 0 4 4 [1] 3 3 3 3 [0], MAX to move`: MAX's pits and store, MIN's pits and store.
function drawKalah() {
  const [, max, maxStore, min, minStore] = /^([\d ]+) \[(\d+)\] ([\d ]+) \[(\d+)\]/.exec(position.position);
  const pits = (text) => text.trim().split(' ').map(Number);
  const [own, other] = [pits(max), pits(min)];
  const pit = (seeds, number, who) => (position.to_move === who
    ? moveButton(number, String(seeds), `${who}'s pit ${number} with ${seeds} seeds`)
    : element('span', { class: 'cell', role: 'img', 'aria-label': `${who}'s pit ${number}: ${seeds} seeds` }, String(seeds)));
  const store = (seeds, who) => element('span', { class: `cell ${who.toLowerCase()}`, role: 'img', 'aria-label': `${who}'s store: ${seeds} seeds` }, `${who} ${seeds}`);
  const gap = () => element('span', {});
  const made = grid(own.length + 2, '4rem',
    gap(), ...other.map((seeds, place) => pit(seeds, place + 1, 'MIN')).reverse(), gap(),
    store(minStore, 'MIN'), ...own.map(gap), store(maxStore, 'MAX'),
    gap(), ...own.map((seeds, place) => pit(seeds, place + 1, 'MAX')), gap());
  made.classList.add('pits');
  return made;
}

function drawRacing() {
  const shown = game.side !== 'MAX';
  const held = (cards) => cards.map((card) => element('span', { class: 'held' }, String(card)));
  const turn = element('p', { class: 'hand', role: 'group', 'aria-label': 'Cards to play' },
    ...(isTurn() ? position.cards.map((card) => moveButton(card, String(card), `Card ${card}`)) : ['–']));
  return element('div', {},
    element('p', {}, `${position.position}. ${game.keys.goal} tricks win.`),
    ...(shown ? [element('p', { class: 'hand' }, 'MIN holds ', ...held(position.min_left))] : []),
    element('p', {}, isTurn() ? 'Your cards:' : 'Your cards come when it is your turn.'), turn);
}

drawSizes();
begin();
