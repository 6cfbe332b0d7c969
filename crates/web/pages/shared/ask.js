// Shared by all pages that ask a program: a worker that can be stopped, the state and sentence that
// they show, and small helpers.
'use strict';

const byId = (id) => document.getElementById(id);

// An element with attributes and children; a function is a listener.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// Longer input is refused: it is no text that a person typed.
const MOST_BYTES = 32 << 20;

// JSON in which numbers may be kept as they are written: as text with a mark before it, which
// `unparsed` takes away again. In answers this is done for numbers that JavaScript cannot hold.
const EXACT = '\u0000';
const isInexact = (token) => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
function parsed(text, isKept = isInexact) {
  if (isKept === isInexact && !/\d{16}/.test(text)) return JSON.parse(text);
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  return JSON.parse(text.replace(tokens, (token) => (token[0] !== '"' && isKept(token) ? JSON.stringify(EXACT + token) : token)));
}

function unparsed(value) {
  return JSON.stringify(value).replace(/"\\u0000([-+.\deE]+)"/g, '$1');
}

// Why there is no answer, in a sentence.
class Refused extends Error {}
// The question was stopped, or replaced by another.
class Called extends Error {}

class Program {
  // `name` is that of a program whose script the page has loaded.
  constructor(name) {
    this.source = PROGRAMS[name];
    this.module = null;
    this.asked = null;
    this.count = 0;
    this.start();
  }

  start() {
    const blob = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
    this.worker = new Worker(blob);
    URL.revokeObjectURL(blob);
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => this.heard(data, resolve, reject);
    });
    // Reported to whoever asks.
    this.ready.catch(() => {});
    this.worker.postMessage(this.module ? { module: this.module } : { program: this.source });
  }

  heard(data, resolve, reject) {
    if (data.ready) {
      this.module = data.ready;
      resolve();
    } else if (data.failed) {
      reject(new Refused(`The program cannot be started in this browser: ${data.failed}`));
    } else if (this.asked && data.id === this.asked.id) {
      if (data.progress) this.asked.progress(data.progress);
      if (data.done) this.finish(data.done);
    }
  }

  finish({ status, text, sentence, seconds }) {
    const { resolve, reject } = this.asked;
    this.asked = null;
    // The line after the command's JSON, if there is one, has the extras that were asked for.
    if (status === 0 || status === 3) resolve({ text, json: parsed(text.split('\n', 1)[0]), isComplete: status === 0, seconds });
    else if (status === 2) reject(new Refused(sentence));
    else reject(new Refused(`The program ended without an answer: ${sentence}`));
  }

  // Asks a question: an object, and perhaps the bytes of a file. A question still running is
  // stopped. The answer has the text that the command prints, and the object parsed from it.
  async ask(question, { file = null, progress = () => {} } = {}) {
    this.stop();
    const id = ++this.count;
    const line = new TextEncoder().encode(JSON.stringify(question) + '\n');
    const input = new Uint8Array(line.length + (file ? file.length : 0));
    if (input.length > MOST_BYTES) throw new Refused(`This has ${input.length} bytes, and the page takes ${MOST_BYTES} at most; the command takes more.`);
    input.set(line);
    if (file) input.set(file, line.length);
    await this.ready;
    if (id !== this.count) throw new Called();
    return new Promise((resolve, reject) => {
      this.asked = { id, resolve, reject, progress };
      this.worker.postMessage({ id, input }, [input.buffer]);
    });
  }

  // Stops the question. The next worker starts at once, with the compiled program.
  stop() {
    this.count++;
    if (!this.asked) return;
    const { reject } = this.asked;
    this.asked = null;
    this.worker.terminate();
    this.start();
    reject(new Called());
  }
}

// The state of a page's question: running and for how long, with a button that stops it; answered;
// or the sentence that says why not.
class State {
  constructor(program) {
    this.program = program;
    this.line = byId('state');
    this.sentence = byId('sentence');
    this.button = byId('stop');
    this.left = null; // called when there is no answer to the question
    this.button.addEventListener('click', () => {
      this.program.stop();
      this.say('Stopped.');
      // What is still shown answers another question.
      this.left?.();
    });
  }

  say(text) {
    this.button.hidden = true;
    this.line.textContent = text;
    this.sentence.textContent = '';
  }

  refuse(text) {
    this.say('');
    this.sentence.textContent = text;
  }

  // Asks what a link asks. One of which the page would show something else, by the `wrong` names, is
  // refused instead, and `refused` called.
  follow(asked, wrong, ask, refused) {
    if (wrong.length === 0) {
      ask();
      return;
    }
    this.program.stop();
    refused();
    this.refuse(Link.unshown(asked, wrong[0]));
  }

  // Asks, and shows the answer: `show` gets it and returns what is said of it. Outdated answers are
  // not shown. Without an answer `refused` is called, or `stopped` after a stop (`refused` by
  // default).
  async ask(question, show, options = {}) {
    this.left = options.stopped ?? options.refused;
    let waited = false;
    let search = ''; // how far it is, in words
    const progress = (how) => {
      waited = true;
      this.button.hidden = false;
      const memory = (how.bytes / 1048576).toFixed(0);
      if (options.words && how.search) search = `, ${options.words(how.search)}`;
      this.line.textContent = `Searching for ${how.seconds.toFixed(1)} s, with ${memory} MiB${search}`;
    };
    try {
      const answer = await this.program.ask(question, { ...options, progress });
      const said = show(answer);
      const time = waited ? ` (${answer.seconds.toFixed(1)} s)` : '';
      this.say(answer.isComplete ? said + time : `${said} A limit stopped the search: this is what it knows.${time}`);
    } catch (error) {
      if (error instanceof Called) return;
      if (!(error instanceof Refused)) throw error;
      this.refuse(error.message);
      if (options.refused) options.refused();
    }
  }
}

// The question that a link holds, and the link that holds a question.
const Link = {
  read() {
    const hash = location.hash.slice(1);
    return hash.includes('=') ? Object.fromEntries(new URLSearchParams(hash)) : {};
  },
  write(fields) {
    const kept = Object.entries(fields).filter(([, value]) => value !== '' && value !== false && value !== null && value !== undefined);
    const hash = new URLSearchParams(kept).toString();
    history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
  },
  // Gives a control a value, and returns whether it shows it: a slider takes the nearest number that
  // it has, a field of numbers no words, a list nothing, and another question would be answered.
  fillOne(control, value) {
    if (control.type === 'checkbox') {
      control.checked = value === 'yes';
      return control.checked;
    }
    const isFit = control.type !== 'number' || /^-?(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?$/i.test(value);
    control.value = isFit ? value : '';
    return isFit && control.value === value;
  },
  // Gives several controls the parts of a text between commas.
  fill(ids, text) {
    const values = ids.length === 1 ? [text] : text.split(',');
    const shown = ids.map((id, place) => this.fillOne(byId(id), values[place] ?? ''));
    return values.length === ids.length && shown.every((isShown) => isShown);
  },
  // Gives the controls of each name what a link says, if anything; returns the names of which they
  // show something else, and those that are neither theirs nor among `others`.
  fillAll(asked, controls, others) {
    return Object.keys(asked).filter((name) => !(Object.hasOwn(controls, name) ? this.fill(controls[name], asked[name]) : others.includes(name)));
  },
  unshown: (asked, name) => `The link says ${name}=${asked[name].slice(0, 40)}, which this page cannot show.`,
  // Another link to the same page, a bookmark or the back button only changes the fragment.
  follow(load) {
    addEventListener('hashchange', () => {
      if (location.hash === '' || location.hash.includes('=')) load();
    });
  },
};

// Files that are dropped. Dropped text goes where it is dropped; a file dropped beside its target
// would make the browser leave the page, and lose the question.
function onDrop(target, take) {
  const hasFiles = (event) => Boolean(event.dataTransfer?.types?.includes('Files') || event.dataTransfer?.files?.length > 0);
  document.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
  document.addEventListener('drop', (event) => hasFiles(event) && event.preventDefault());
  target.addEventListener('dragover', (event) => target.classList.toggle('over', hasFiles(event)));
  target.addEventListener('dragleave', () => target.classList.remove('over'));
  target.addEventListener('drop', (event) => {
    target.classList.remove('over');
    if (event.dataTransfer.files.length > 0) take([...event.dataTransfer.files]);
  });
}

// A file that is dropped on an element, or chosen in an input, as bytes.
function onFile(target, input, take, refuse) {
  const read = async (file) => {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      refuse(`${file.name} has ${file.size} bytes, and the page takes ${MOST_BYTES} at most; the command takes more.`);
      return;
    }
    try {
      take(new Uint8Array(await file.arrayBuffer()), file.name);
    } catch (error) {
      refuse(`${file.name} cannot be read: ${error.message}`);
    }
  };
  input?.addEventListener('change', () => {
    read(input.files[0]);
    input.value = '';
  });
  onDrop(target, ([file]) => read(file));
}

// A text field refuses a paste so long that it would block the page.
function guardPaste(field, most, refuse) {
  field.addEventListener('paste', (event) => {
    const length = event.clipboardData?.getData('text').length ?? 0;
    if (length <= most) return;
    event.preventDefault();
    refuse(`What was pasted has ${length} letters, and this field takes ${most} at most.`);
  });
}

// Saves text as a file.
function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// A table as those of the program's own pages.
function table(caption, words, head, rows) {
  const classOf = (place) => (place < words ? 'words' : null);
  const cell = (content, place) => {
    const { text, className } = typeof content === 'object' && content !== null && !(content instanceof Node) ? content : { text: content };
    const classes = [classOf(place), className].filter(Boolean).join(' ') || null;
    return place === 0 ? element('th', { scope: 'row', class: classes }, text) : element('td', { class: classes }, text);
  };
  return element('div', {},
    element('p', { class: 'caption' }, caption),
    element('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': caption },
      element('table', { 'aria-label': caption },
        element('thead', {}, element('tr', {}, ...head.map((name, place) => element('th', { scope: 'col', class: classOf(place) }, name)))),
        element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cell)))))));
}

// The extras in the line after a program's JSON.
const moreOf = (text) => JSON.parse(text.split('\n')[1]);
const lineOfAnswer = (text) => text.split('\n')[0] + '\n';

// A chance as the program rounds it.
function percent(part, whole) {
  if ((100 * part) % whole === 0) return `${(100 * part) / whole}%`;
  if (1000 * part < whole) return 'under 0.1%';
  if (part < whole && 1000 * (whole - part) < whole) return 'over 99.9%';
  return `${(Math.round((1000 * part) / whole) / 10).toFixed(1)}%`;
}

function fraction(part, whole) {
  let [a, b] = [part, whole];
  while (b > 0) [a, b] = [b, a % b];
  return `${part / Math.max(a, 1)}/${whole / Math.max(a, 1)}`;
}
