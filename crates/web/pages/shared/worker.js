// A program of the site, in a worker: WebAssembly with standard input, standard output and a clock.
//
// It gets a program once, as base64 of a gzip, or as a module that another worker has compiled;
// then questions as bytes. Each question gets a fresh instance of the program.
'use strict';

const PAUSE = 100; // ms between two reports of progress
const FAILED = 52; // ENOSYS: what programs of the site do not need
const GONE = 8; // EBADF: no files

let wasm = null;

class Exit {
  constructor(status) { this.status = status; }
}

async function compiled(base64) {
  const packed = atob(base64);
  const bytes = new Uint8Array(packed.length);
  for (let place = 0; place < packed.length; place++) bytes[place] = packed.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

function run(id, input) {
  const output = [[], []]; // what is written on standard output and standard error
  const started = performance.now();
  let memory = null;
  let read = 0;
  let said = started;
  const view = () => new DataView(memory.buffer);
  const parts = function* (at, count) {
    for (let place = 0; place < count; place++) {
      const part = at + 8 * place;
      yield new Uint8Array(memory.buffer, view().getUint32(part, true), view().getUint32(part + 4, true));
    }
  };
  const none = (count, size) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return 0;
  };
  const progress = (now) => {
    if (now - said < PAUSE) return;
    said = now;
    postMessage({ id, progress: { seconds: (now - started) / 1000, bytes: memory.buffer.byteLength } });
  };
  // A line on standard error that is a JSON object reports progress.
  const report = (text) => {
    const line = text.trim();
    if (!line.startsWith('{')) return false;
    let search;
    try {
      search = JSON.parse(line);
    } catch {
      // An error message may begin with `{` too, if the file's name does.
      return false;
    }
    postMessage({ id, progress: { seconds: (performance.now() - started) / 1000, bytes: memory.buffer.byteLength, search } });
    return true;
  };
  const system = {
    args_sizes_get: none,
    args_get: () => 0,
    environ_sizes_get: none,
    environ_get: () => 0,
    clock_time_get(clock, precision, at) {
      const now = performance.now();
      progress(now);
      const ms = clock === 0 ? Date.now() : now;
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    fd_read(file, at, count, taken) {
      if (file !== 0) return GONE;
      let sum = 0;
      for (const part of parts(at, count)) {
        const some = input.subarray(read, read + part.length);
        part.set(some);
        read += some.length;
        sum += some.length;
      }
      view().setUint32(taken, sum, true);
      return 0;
    },
    fd_write(file, at, count, taken) {
      if (file !== 1 && file !== 2) return GONE;
      let sum = 0;
      for (const part of parts(at, count)) {
        sum += part.length;
        const copy = part.slice();
        if (file === 2 && report(new TextDecoder().decode(copy))) continue;
        output[file - 1].push(copy);
      }
      view().setUint32(taken, sum, true);
      return 0;
    },
    fd_prestat_get: () => GONE,
    random_get(at, count) {
      // No real randomness: the same question has the same answer.
      new Uint8Array(memory.buffer, at, count).fill(7);
      return 0;
    },
    proc_exit(status) { throw new Exit(status); },
  };
  const imports = {};
  for (const { module, name } of WebAssembly.Module.imports(wasm)) {
    imports[module] ??= {};
    imports[module][name] = system[name] ?? (() => FAILED);
  }
  let status = 0;
  let trap = '';
  try {
    const program = new WebAssembly.Instance(wasm, imports);
    memory = program.exports.memory;
    program.exports._start();
  } catch (error) {
    if (error instanceof Exit) status = error.status;
    else {
      status = 1;
      trap = String(error.message ?? error);
    }
  }
  const [text, words] = output.map((all) => new TextDecoder().decode(joined(all)));
  const sentence = words.trim() || trap;
  postMessage({ id, done: { status, text, sentence, seconds: (performance.now() - started) / 1000 } });
}

function joined(all) {
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

onmessage = async ({ data }) => {
  if (data.input) {
    run(data.id, data.input);
    return;
  }
  try {
    wasm = data.module ?? await compiled(data.program);
    postMessage({ ready: wasm });
  } catch (error) {
    postMessage({ failed: String(error.message ?? error) });
  }
};
