// Shared by pages whose question is a text or files, and whose answer is a page written by the
// program.
'use strict';

const MOST_LETTERS = 4e6;

// A page of the program's own within this one. Unless `fixed`, its frame is as high as its content.
function framed(html, title, fixed = false) {
  const frame = element('iframe', { title, class: fixed ? 'framed fixed' : 'framed', srcdoc: html });
  frame.addEventListener('load', () => {
    const inner = frame.contentDocument;
    // Links to its fragments would leave it, as it has no address.
    inner.addEventListener('click', (event) => {
      const to = event.target.closest?.('a[href^="#"]');
      if (!to) return;
      event.preventDefault();
      inner.getElementById(to.hash.slice(1))?.scrollIntoView();
    });
    if (fixed) return;
    const fit = () => { frame.style.height = `${Math.ceil(inner.body.getBoundingClientRect().height) + 4}px`; };
    new ResizeObserver(fit).observe(inner.body);
    fit();
  });
  return frame;
}

// A picture of a page as a file that stands by itself: its colours are attributes, and its page has
// those by night.
function pictureOf(svg) {
  const copy = svg.cloneNode(true);
  const rules = [...svg.ownerDocument.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const night = rules.filter((rule) => rule.media && rule.cssText.includes(':root [fill='));
  const [, , width, height] = (copy.getAttribute('viewBox') ?? '0 0 600 400').split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  const made = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  made.textContent = night.map((rule) => rule.cssText).join('\n');
  copy.prepend(made);
  return new XMLSerializer().serializeToString(copy) + '\n';
}

// Buttons that save the pictures of a page, once it is there.
function pictureButtons(frame, place) {
  frame.addEventListener('load', () => {
    const pictures = [...frame.contentDocument.querySelectorAll('svg')].filter((svg) => !svg.closest('summary'));
    pictures.forEach((svg, at) => {
      const name = svg.querySelector('title')?.textContent || svg.getAttribute('aria-label') || `picture ${at + 1}`;
      const said = (svg.getAttribute('aria-label') || name).slice(0, 60);
      place.append(element('button', { type: 'button', 'data-picture': at, click: () => save(`picture-${at + 1}.svg`, pictureOf(svg), 'image/svg+xml') }, `SVG: ${said}`));
    });
  });
}

// The input: the text of the page, or files instead.
class Input {
  // `changed` is called when the input changes.
  constructor(field, changed, refuse) {
    this.field = field;
    this.changed = changed;
    this.refuse = refuse;
    this.files = [];
    this.name = '';
    let later = 0;
    field.addEventListener('input', () => {
      this.name = '';
      clearTimeout(later);
      later = setTimeout(changed, 400);
    });
    guardPaste(field, MOST_LETTERS, refuse);
    const chooser = byId('files');
    chooser.addEventListener('change', () => {
      this.take([...chooser.files]);
      chooser.value = '';
    });
    const place = byId('input');
    onDrop(place, (files) => this.take(files));
    byId('no-files').addEventListener('click', () => this.drop());
    for (const { name, title, text } of JSON.parse(byId('examples-data').textContent)) {
      byId('examples').append(element('button', { type: 'button', click: () => this.set(text, name) }, title));
    }
  }

  async take(files) {
    if (files.length > 1 && !byId('files').multiple) {
      // Concatenated they would be read as one.
      this.refuse(`These are ${files.length} files, and this page takes one.`);
      return;
    }
    const sum = files.reduce((sum, file) => sum + file.size, 0);
    if (sum > MOST_BYTES) {
      this.refuse(`${files.length === 1 ? files[0].name : 'These files'} ${files.length === 1 ? 'has' : 'have'} ${sum} bytes, and the page takes ${MOST_BYTES} at most; the command takes more.`);
      return;
    }
    try {
      this.files = await Promise.all(files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]));
    } catch (error) {
      this.refuse(`${files[0].name} cannot be read: ${error.message}`);
      return;
    }
    this.show();
    this.changed();
  }

  drop() {
    this.files = [];
    this.show();
    this.changed();
  }

  set(text, name = '') {
    this.fill(text, name);
    this.changed();
  }

  fill(text, name) {
    this.files = [];
    this.field.value = text;
    this.name = name;
    this.show();
  }

  // `follow` of a state, with the text of the link, or else the first example.
  follow(asked, wrong, state, refused) {
    state.follow(asked, wrong, () => {
      if (asked.text !== undefined) this.set(asked.text);
      else byId('examples').querySelector('button').click();
    }, () => {
      this.fill(asked.text ?? '', '');
      refused();
    });
  }

  show() {
    const has = this.files.length > 0;
    this.field.hidden = has;
    byId('no-files').hidden = !has;
    byId('chosen').replaceChildren(...this.files.map(([name, bytes]) => element('li', {}, `${name}, ${bytes.length} bytes`)));
  }

  isEmpty() {
    return this.files.length === 0 && this.field.value.trim() === '';
  }

  // The text, if it is short enough for a link.
  linked(most = 4000) {
    return this.files.length === 0 && this.field.value.length <= most ? this.field.value : '';
  }

  // Names, with how many bytes each has, and all bytes.
  bytes() {
    const files = this.files.length > 0 ? this.files : [[this.name, new TextEncoder().encode(this.field.value)]];
    const all = new Uint8Array(files.reduce((sum, [, bytes]) => sum + bytes.length, 0));
    let at = 0;
    for (const [, bytes] of files) {
      all.set(bytes, at);
      at += bytes.length;
    }
    return { names: files.map(([name, bytes]) => [name, bytes.length]), all };
  }
}

// The sentence about the first invalid number of a form, if there is one: it would be silently
// ignored, or refused in a program's words.
function wrongNumber(form) {
  const field = form.querySelector('input[type=number]:invalid');
  if (!field) return null;
  const { min, max, step } = field;
  const name = field.getAttribute('aria-label') ?? field.closest('label').textContent.trim().replace(/\s+/g, ' ');
  const range = max === '' ? `from ${min} on` : `from ${min} to ${max}`;
  return `“${name}”: ${field.value === '' ? 'what is there' : field.value} is no ${step === 'any' ? 'number' : 'whole number'} ${range}.`;
}

// Whether there is something to ask. If not, calls `refused`, as the answer shown is outdated, and
// shows the reason.
function isAskable(input, state, refused) {
  const wrong = input.isEmpty() ? '' : wrongNumber(byId('ask'));
  if (!input.isEmpty() && !wrong) return true;
  refused();
  state.program.stop();
  if (wrong) state.refuse(wrong);
  else state.say('');
  return false;
}

// The number of a field, or nothing where it is empty.
const numberIn = (id) => (byId(id).value.trim() === '' ? undefined : Number(byId(id).value));

// Asks after a moment when anything in a form changes; `Enter` asks at once.
function whenChanged(form, ask) {
  let later = 0;
  form.addEventListener('change', () => {
    clearTimeout(later);
    later = setTimeout(ask, 50);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(later);
    ask();
  });
}
