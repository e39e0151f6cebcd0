import { randomBytes } from 'node:crypto';

/** The number of events that a reader may be behind. */
const KEPT = 1000;

/** An event. Its text is made once for all readers. */
interface Kept<Event> {
  readonly event: Event;
  readonly atMs: number;
  text?: string;
}

/** A reader of the events, in order. */
export interface EventReader {
  /** The next event as text; undefined if there is none now. */
  next(): string | undefined;
  /** Ends the reading. */
  close(): void;
}

interface ReaderOptions {
  /** The id of the last event that the reader knows; absent: it starts now. */
  readonly after?: string | undefined;
  /** Called when there is a next event. */
  readonly wake: () => void;
  /** Called when the reader is so far behind that its next event is no longer known. */
  readonly tooSlow: () => void;
}

/**
 * The last events, which all readers share: a reader is a position, so that slow readers need no memory. The ids contain a random part,
 * because each process has its own history.
 */
export class EventHistory<Event> {
  readonly #run = randomBytes(6).toString('base64url');
  readonly #kept: Kept<Event>[] = [];
  readonly #readers = new Set<{ at: number; readonly options: ReaderOptions }>();
  readonly #toText: (event: Event, id: string) => string;
  /** The number of all events. An event has the number of events up to it. */
  #end = 0;

  constructor(toText: (event: Event, id: string) => string) {
    this.#toText = toText;
  }

  add(event: Event, atMs: number): void {
    this.#kept[this.#end % KEPT] = { event, atMs };
    this.#end++;
    for (const { at, options } of this.#readers) {
      if (at < this.#end - KEPT) options.tooSlow();
      else options.wake();
    }
  }

  /** Starts to read; undefined: the events after this id are no longer known. */
  read(options: ReaderOptions): EventReader | undefined {
    const at = this.#positionAfter(options.after);
    if (at === undefined) return undefined;
    const reader = { at, options };
    this.#readers.add(reader);
    return {
      next: () => (reader.at < this.#end ? this.#textOf(reader.at++) : undefined),
      close: () => this.#readers.delete(reader),
    };
  }

  #positionAfter(id: string | undefined): number | undefined {
    if (id === undefined) return this.#end;
    const [, run, number] = /^([\w-]{8})\.(\d{1,15})$/.exec(id) ?? [];
    const at = Number(number);
    return run === this.#run && at <= this.#end && at >= this.#end - KEPT ? at : undefined;
  }

  #textOf(at: number): string | undefined {
    const kept = this.#kept[at % KEPT];
    return kept && (kept.text ??= this.#toText(kept.event, this.#idOf(at + 1)));
  }

  /** The id of the last event. A reader with it gets all later events. */
  get lastId(): string {
    return this.#idOf(this.#end);
  }

  /** The id of the last event before an instant, or of the oldest event that is kept. */
  lastIdBefore(ms: number): string {
    let at = this.#end;
    while (at > Math.max(0, this.#end - KEPT) && (this.#kept[(at - 1) % KEPT]?.atMs ?? 0) >= ms) at--;
    return this.#idOf(at);
  }

  #idOf(number: number): string {
    return `${this.#run}.${number}`;
  }
}
