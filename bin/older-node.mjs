// What Node 22 lacks. bin/bundle.mjs puts these exports into the build in place of the globals, and loads this file first.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) throw new Error(`fanfare needs Node 22.19 or newer; this is ${process.versions.node}`);

/** The part of AsyncDisposableStack that Fanfare uses. */
class Stack {
  #disposals = [];

  use(resource) {
    if (resource) this.defer(() => (resource[Symbol.asyncDispose] ?? resource[Symbol.dispose]).call(resource));
    return resource;
  }

  adopt(value, dispose) {
    this.defer(() => dispose(value));
    return value;
  }

  defer(dispose) {
    this.#disposals.push(dispose);
  }

  move() {
    const moved = new Stack();
    moved.#disposals = this.#disposals.splice(0);
    return moved;
  }

  async disposeAsync() {
    const errors = [];
    for (const dispose of this.#disposals.splice(0).toReversed()) {
      try {
        await dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, errors[0]?.message, { cause: errors[0] });
    if (errors.length > 0) throw errors[0];
  }

  [Symbol.asyncDispose]() {
    return this.disposeAsync();
  }
}

export const AsyncDisposableStack = globalThis.AsyncDisposableStack ?? Stack;

/** Escapes more characters than necessary, as RegExp.escape does, so that a first letter or digit cannot extend an escape before it. */
export const escape = RegExp['escape'] ?? ((text) => text.replace(/[^\p{L}\p{N}_]/gu, toEscape).replace(/^[0-9a-zA-Z]/u, toEscape));

function toEscape(character) {
  return [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}
