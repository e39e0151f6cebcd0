import type { RemoteRecord } from '../../support/fake-platform.ts';

/** A change that a poll showed. */
interface SeenChange {
  readonly id: string;
  readonly text: string;
  /** False if the rule was paused. */
  readonly mayFire: boolean;
}

interface PollOfTest {
  readonly isPaused: boolean;
  readonly nowMs: number;
  readonly graceMs: number;
}

export interface ShownStream {
  readonly id: string;
  readonly title: string;
}

/** The promises about cards and changes, checked with what the test did and what the platform got. It shares no code with the product. */
export class ExpectedCards {
  readonly #changes: SeenChange[] = [];
  /** The titles of the streams that count as live. */
  readonly #seen = new Map<string, string>();
  readonly #missingSinceMs = new Map<string, number>();
  readonly #left = new Map<string, string>();
  /** Streams whose card may be missing, because a poll showed them during a pause. */
  readonly #mayLackCard = new Set<string>();
  /** Whether a pause or an edit may have withdrawn announcements. */
  mayWithdraw = false;
  /** Whether steps were behind a wait. */
  hasWaited = false;
  /** Whether polls were missing or failed, so that an interruption can be longer than the polls of the test show. */
  hasGap = false;

  polled(rule: 'card' | 'changes', streams: readonly ShownStream[], { isPaused, nowMs, graceMs }: PollOfTest): void {
    if (rule === 'card') {
      if (isPaused) for (const { id } of streams) this.#mayLackCard.add(id);
      return;
    }
    const now = new Map(streams.map(({ id, title }) => [id, title]));
    for (const [id, title] of now) {
      // A stream that returns continues.
      const before = this.#seen.get(id) ?? this.#left.get(id);
      if (before === undefined) this.#changes.push({ id, text: `entered ${id} ${title}`, mayFire: !isPaused });
      else if (before !== title) this.#changes.push({ id, text: `changed ${id} ${title}`, mayFire: !isPaused });
      this.#missingSinceMs.delete(id);
      this.#seen.set(id, title);
    }
    for (const [id, title] of this.#seen) {
      if (now.has(id)) continue;
      const sinceMs = this.#missingSinceMs.get(id) ?? nowMs;
      this.#missingSinceMs.set(id, sinceMs);
      if (nowMs - sinceMs < graceMs) continue;
      this.#changes.push({ id, text: `left ${id} ${title}`, mayFire: !isPaused });
      this.#seen.delete(id);
      this.#missingSinceMs.delete(id);
      this.#left.set(id, title);
    }
  }

  /** Checks what the platform has, after everything that waited could happen. `live`: the streams that are live. */
  check(records: readonly RemoteRecord[], live: readonly ShownStream[]): void {
    const sends = records.filter((record) => record.do === 'discord.send');
    const wordsOf = (one: RemoteRecord): readonly string[] => contentOf(one).split(' ');
    for (const [id, all] of Map.groupBy(
      sends.filter((one) => wordsOf(one)[0] === 'card'),
      (one) => wordsOf(one)[1],
    )) {
      if (all.length > 1) throw new Error(`${id} has ${all.length} cards`);
      const [card] = all;
      const last = records.findLast((one) => one === card || one.params['message'] === card?.id);
      const stream = live.find((one) => one.id === id);
      const wanted = stream ? `card ${stream.id} ${stream.title}` : `over ${id}`;
      const shown = last && contentOf(last);
      if (shown !== wanted) throw new Error(`the card shows "${shown}" instead of "${wanted}"`);
    }
    for (const { id } of live) {
      const hasCard = sends.some((one) => wordsOf(one)[0] === 'card' && wordsOf(one)[1] === id);
      if (!hasCard && !this.#mayLackCard.has(id) && !(this.hasWaited && this.#left.has(id)) && !this.mayWithdraw)
        throw new Error(`${id} has no card`);
    }
    const announced = sends.map((one) => contentOf(one)).filter((text) => !text.startsWith('card '));
    for (const [id, its] of Map.groupBy(this.#changes, (one) => one.id)) {
      const isCompared = (text: string): boolean => !this.hasGap || !text.startsWith('left ');
      const texts = announced.filter((text) => text.split(' ')[1] === id && isCompared(text));
      const wanted = its.filter(({ mayFire, text }) => mayFire && isCompared(text)).map(({ text }) => text);
      const isExact = texts.join() === wanted.join();
      // Steps behind a wait are sent after later changes, and withdrawn at the end of their stream.
      const isDelayed = this.hasWaited && isIncluded(texts, wanted);
      const isAllowed = isExact || isDelayed || (this.mayWithdraw && isSubsequence(texts, wanted));
      if (!isAllowed) throw new Error(`announced [${texts.join(', ')}] instead of [${wanted.join(', ')}]`);
    }
  }
}

/** Whether `all` has each of these values at least as often. */
function isIncluded(some: readonly string[], all: readonly string[]): boolean {
  const count = (list: readonly string[], value: string): number => list.filter((one) => one === value).length;
  return some.every((value) => count(some, value) <= count(all, value));
}

function isSubsequence(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const one of all) if (one === some[at]) at++;
  return at === some.length;
}

function contentOf({ params: { content } }: RemoteRecord): string {
  return typeof content === 'string' ? content : '';
}
