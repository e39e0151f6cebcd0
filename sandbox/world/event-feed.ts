import type { Clock } from '#src/clock.ts';
import type { World, WorldEvent } from './world.ts';

/** The events of this time ahead are computed at once. Without orders, they do not change. */
const AHEAD_MS = 60_000;
/** After a jump of the clock, older events are not sent. */
const MOST_LATE_MS = 3_600_000;

export interface EventFeedOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly emit: (event: WorldEvent) => void;
}

/** Sends each event of the world when it happens. It computes the events of all people once a minute, and those of a person after an order. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  /** The next events, in order. */
  #queue: readonly WorldEvent[] = [];
  /** The queue has all events until this instant. */
  #untilMs = 0;
  #stopListening: (() => void) | undefined;
  #waiting = new AbortController();

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** Sends the events from now on. */
  start(): void {
    if (this.#stopListening) return;
    const { world, clock } = this.#options;
    this.#queue = [];
    this.#untilMs = clock.nowMs();
    this.#stopListening = world.onOrder((personId, events) => this.#ordered(personId, events));
    this.#run();
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#waiting.abort();
  }

  /** Sends the due events and waits for the next one. */
  #run(): void {
    const { clock } = this.#options;
    this.#extend();
    this.#sendDue();
    const nextMs = this.#queue[0]?.at.getTime() ?? this.#untilMs;
    this.#waiting.abort();
    this.#waiting = new AbortController();
    clock.sleep(Math.max(1, nextMs - clock.nowMs()), this.#waiting.signal).then(
      () => this.#run(),
      () => undefined,
    );
  }

  /** Computes the next events. The events of an order at this instant are left out, because the world reports them itself. */
  #extend(orderedId?: string): void {
    const { world, clock } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs < this.#untilMs) return;
    const fromMs = Math.max(this.#untilMs, nowMs - MOST_LATE_MS);
    const next = world
      .eventsBetween(fromMs, nowMs + AHEAD_MS)
      .filter(({ at, person }) => at.getTime() !== nowMs || person.id !== orderedId);
    this.#queue = [...this.#queue, ...next];
    this.#untilMs = nowMs + AHEAD_MS;
  }

  #sendDue(): void {
    const nowMs = this.#options.clock.nowMs();
    const later = this.#queue.findIndex(({ at }) => at.getTime() > nowMs);
    const due = later === -1 ? this.#queue : this.#queue.slice(0, later);
    this.#queue = this.#queue.slice(due.length);
    this.#send(due);
  }

  /** Sends the events of an order, and computes the next events of the person again. */
  #ordered(personId: string, events: readonly WorldEvent[]): void {
    const { world, clock } = this.#options;
    this.#extend(personId);
    this.#sendDue();
    this.#send(events);
    const others = this.#queue.filter(({ person }) => person.id !== personId);
    const changed = world.eventsBetween(clock.nowMs(), this.#untilMs, personId);
    this.#queue = [...others, ...changed].toSorted((a, b) => a.at.getTime() - b.at.getTime());
    this.#run();
  }

  /** Platforms send one update if the game and the title change at once. */
  #send(events: readonly WorldEvent[]): void {
    for (const [index, event] of events.entries()) {
      const before = events[index - 1];
      const isSameChange = event.kind === 'changedTitle' && before?.kind === 'changedGame' && before.person.id === event.person.id;
      if (!isSameChange || before.at.getTime() !== event.at.getTime()) this.#options.emit(event);
    }
  }
}
