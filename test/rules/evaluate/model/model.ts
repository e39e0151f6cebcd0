import { newEpisode, changedFields, crossedLines, movedRank, valueOf, type DueChange, type ModelEpisode } from './model-episode.ts';
import type { ModelPoll, ModelRule, Sight } from './model-rule.ts';
import type { QuietCalendar } from './quiet-calendar.ts';
import { ModelEffects, type EpisodeStep } from './model-effects.ts';

const DAY = 24 * 60;

/** A second, plain implementation of episodes. It shares no code with the product. */
export class Model {
  #rule: ModelRule;
  #episodes: ModelEpisode[] = [];
  #lastPoll: ModelPoll | undefined;
  #lastKeys: readonly string[] = [];
  /** All episodes were closed after a poll, so the next first poll is silent. */
  #hasReturned = false;
  readonly #effects: ModelEffects;

  constructor(rule: ModelRule, calendar: QuietCalendar | undefined) {
    this.#rule = rule;
    this.#effects = new ModelEffects(rule, calendar);
  }

  /** Edits the timers, the gates and the quiet hours of the rule. */
  edit(rule: ModelRule, calendar: QuietCalendar | undefined): void {
    this.#rule = rule;
    this.#effects.edit(rule, calendar);
  }

  resume(): void {
    this.#effects.gates.resume();
  }

  /** When the rule has to run because quiet hours end. */
  get wake(): number | undefined {
    return this.#effects.deferredUntil;
  }

  /** The episodes that still matter, for example `ada open`. */
  get kept(): readonly string[] {
    const isKept = ({ state, isDepartureDeferred, collected }: ModelEpisode): boolean =>
      state !== 'over' || this.#rule.kind === 'live' || isDepartureDeferred || collected.size > 0;
    return this.#episodes.filter(isKept).map(({ key, state }) => `${key} ${state}`);
  }

  /** Closes all open episodes at once. */
  closeAll(now: number): readonly string[] {
    const byRank = this.#episodes.toSorted((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1));
    const lines = byRank.flatMap((episode) => {
      if (episode.state !== 'open') return [];
      const wasHeld = episode.verdict === 'held';
      this.#over(episode, now);
      if (wasHeld) episode.verdict = 'silent';
      return episode.verdict === 'spoke' ? this.#effects.finally(episode) : [];
    });
    this.#episodes = this.#episodes.filter(({ state }) => state === 'over' && this.#rule.kind === 'live');
    for (const episode of this.#episodes) {
      episode.collected = new Map();
      episode.isDepartureDeferred = false;
    }
    this.#effects.forget();
    if (this.#rule.kind === 'live') return lines;
    this.#hasReturned ||= this.#lastPoll !== undefined;
    this.#lastPoll = undefined;
    this.#lastKeys = [];
    return lines;
  }

  /** The effects of a good poll as lines: `then entered ada`, `while ada`, `withdraw finally ada`. */
  poll(poll: ModelPoll): readonly string[] {
    const { now, list } = poll;
    const { kind, first, per } = this.#rule;
    const last = this.#lastPoll;
    const edited = last !== undefined && last.list !== list;
    const isFirst = !last && (first === 'silent' || per === 'slot' || this.#hasReturned);
    const gap = last !== undefined && now - last.now > 2;
    /** Whether the last list had an item that the rule did not count before the edit. */
    const wasUncounted = (sight: Sight): boolean => {
      const isSame = ({ broadcast }: Sight): boolean => broadcast === sight.broadcast;
      return edited && last.complete && last.sights.some(isSame) && !this.#countingSights(last).some(isSame);
    };
    /** Whether an item is not new. The next broadcast of a known channel is. */
    const isOld = (sight: Sight): boolean => {
      if (wasUncounted(sight)) return true;
      if (active.includes(sight.key)) return false;
      return edited ? sight.began === undefined || sight.began < last.now : isFirst;
    };
    this.#lastPoll = poll;

    const shown = this.#countingSights(poll);
    const shownKeys = shown.map(({ key }) => key);
    this.#forgetOld(now, shownKeys);
    const active = this.#episodes.filter(({ state }) => state !== 'over').map(({ key }) => key);
    const { keyless } = poll;
    const whole = kind === 'feed' || keyless ? false : kind === 'ranking' || kind === 'one' ? poll.complete : poll.complete && !poll.more;
    const moves = isFirst || edited ? [] : this.#moves(shownKeys);
    this.#lastKeys = shownKeys;

    const steps = [...new Set([...active, ...shownKeys])].flatMap((key) => {
      const index = shownKeys.indexOf(key);
      const sight = shown[index];
      if (sight)
        return this.#seen(sight, {
          now,
          rank: index + 1 + Number(keyless),
          gap,
          edited,
          isOld: isOld(sight),
          ranksDown: moves.find((move) => move.key === key)?.ranksDown ?? 0,
          places: poll.complete ? shown.length + Number(keyless) : Infinity,
        });
      return this.#missed(key, { now, whole, edited });
    });
    steps.sort(
      (a, b) => Number(b.what === 'ended') - Number(a.what === 'ended') || a.rank - b.rank || (a.episode.key < b.episode.key ? -1 : 1),
    );
    return this.#effects.announce([...this.#deferredDepartures({ active, shownKeys, whole }, now), ...steps], {
      poll,
      first: shown[0],
      episodes: this.#episodes,
    });
  }

  #forgetOld(now: number, shownKeys: readonly string[]): void {
    const { kind } = this.#rule;
    this.#episodes = this.#episodes.filter((episode) => {
      if (episode.state !== 'over') return kind !== 'feed' || shownKeys.includes(episode.key) || now - episode.lastSeen <= 90 * DAY;
      return episode.isDepartureDeferred || episode.collected.size > 0 || (kind === 'live' && now - episode.overSince <= 30 * DAY);
    });
  }

  #countingSights({ sights, keyless }: ModelPoll): readonly Sight[] {
    const counting = sights.filter(({ counts }) => counts);
    return counting
      .filter((sight, i) => counting.findIndex(({ key }) => key === sight.key) === i)
      .slice(0, this.#rule.take - Number(keyless));
  }

  /** How many ranks each item went down among the items that both polls show. */
  #moves(shownKeys: readonly string[]): readonly { readonly key: string; readonly ranksDown: number }[] {
    const stayed = shownKeys.filter((key) => this.#lastKeys.includes(key));
    const stood = this.#lastKeys.filter((key) => shownKeys.includes(key));
    return stayed.map((key) => ({ key, ranksDown: stayed.indexOf(key) - stood.indexOf(key) }));
  }

  #missed(key: string, { now, whole, edited }: { now: number; whole: boolean; edited: boolean }): EpisodeStep[] {
    const episode = this.#episodes.find((one) => one.key === key && one.state !== 'over');
    if (!episode) return [];
    // The edit may be why the list lacks the item. Its end is not a change.
    if (edited && this.#rule.kind !== 'feed') episode.isOut = true;
    if (!whole) return [];
    if (episode.state === 'waiting') {
      this.#forget(episode);
      return [];
    }
    if (episode.isOut) return [{ ...this.#end(episode, now), dues: [] }];
    episode.misses++;
    if (episode.misses === 1) episode.missingSince = now;
    const over = episode.misses >= this.#rule.confirm.gone && now >= episode.missingSince + this.#rule.grace;
    return over ? [this.#end(episode, now)] : [];
  }

  #seen(
    sight: Sight,
    {
      now,
      rank,
      gap,
      edited,
      isOld,
      ranksDown,
      places,
    }: { now: number; rank: number; gap: boolean; edited: boolean; isOld: boolean; ranksDown: number; places: number },
  ): EpisodeStep[] {
    const { kind, confirm, settle, maxAge, grace } = this.#rule;
    const steps: EpisodeStep[] = [];
    const before = this.#episodes.find(({ key, state }) => key === sight.key && state !== 'over');
    let episode = before;
    if (episode && episode.broadcast !== sight.broadcast && (kind === 'live' || kind === 'ranking')) {
      const awayFrom = episode.misses > 0 ? episode.missingSince : episode.lastSeen;
      const wasUnread = episode.misses === 0 && now - episode.lastSeen > 2;
      const awayUntil = gap || wasUnread ? (sight.began ?? now) : episode.misses > 0 ? now : episode.lastSeen;
      if (Math.max(0, awayUntil - awayFrom) >= grace) {
        if (episode.state === 'open') steps.push(this.#end(episode, now));
        else this.#forget(episode);
        episode = undefined;
      }
    }
    const over = episode || kind !== 'live' ? undefined : this.#lastOver(sight);
    if (over) {
      Object.assign(over, {
        state: 'open',
        isOut: false,
        misses: 0,
        rank,
        lastSeen: now,
        before: over.last,
        last: sight,
        isDepartureDeferred: false,
        moves: [],
      });
      over.seen.push({ now, sight });
      over.deferred.delete('left');
      // It was never announced, because it ended in quiet hours.
      if (over.verdict === 'dropped' && !edited && !(gap && now - over.began > maxAge)) {
        this.#setBaselines(over, sight);
        return [...steps, { what: 'opened', episode: over, rank, dues: [this.#due(over, 'entered'), ...this.#values(over, now)] }];
      }
      return [...steps, { what: 'reopened', episode: over, rank, dues: this.#values(over, now) }];
    }
    if (!episode) {
      episode = newEpisode(sight, now);
      episode.isFromBaseline = isOld;
      episode.tooOld = kind === 'feed' && now - episode.began > maxAge;
      this.#episodes.push(episode);
    }
    const { last, sightings, rank: rankBefore } = episode;
    Object.assign(episode, {
      broadcast: sight.broadcast,
      misses: 0,
      isOut: false,
      rank,
      lastSeen: now,
      before: last,
      last: sight,
      sightings: sightings + 1,
    });
    episode.seen.push({ now, sight });
    if (episode.state === 'open') {
      const sum = (episode.moves.at(-1)?.ranksDown ?? 0) + ranksDown;
      // The old rank in the list of today is one of its places.
      episode.moves.push({ now, ranksDown: rank - Math.min(places, Math.max(1, rank - sum)), rankBefore });
      const late = episode.verdict === 'held' ? [this.#due(episode, 'entered')] : [];
      if (late.length > 0) this.#setBaselines(episode, sight);
      // The poll that announces an episode has no `while`, even if it announces late.
      const what = late.length > 0 ? 'opened' : 'stayed';
      return [...steps, { what, episode, rank, dues: [...late, ...this.#values(episode, now)] }];
    }
    if (gap && now - episode.began > maxAge) episode.tooOld = true;
    const opens = episode.isFromBaseline || (episode.sightings >= confirm.new && now - episode.firstSeen >= settle);
    if (!opens) {
      this.#values(episode, now);
      return steps;
    }
    episode.state = 'open';
    this.#setBaselines(episode, sight);
    if (episode.isFromBaseline || episode.tooOld) episode.verdict = 'silent';
    const entered = episode.verdict === 'silent' ? [] : [this.#due(episode, 'entered')];
    return [...steps, { what: 'opened', episode, rank, dues: [...entered, ...this.#values(episode, now)] }];
  }

  /** The values of an item whose entry is announced are those that later ones are compared with. */
  #setBaselines(episode: ModelEpisode, sight: Sight): void {
    for (const field of ['title', 'game.name']) episode.announced.set(field, valueOf(sight, field));
    episode.moves = [];
  }

  /** The changes of values that have held for `settle`. */
  #values(episode: ModelEpisode, now: number): readonly DueChange[] {
    const { kind, first, changes, settle } = this.#rule;
    // A record that could not be read at first is not new.
    const isNew = episode.firstSeen === now && !(kind === 'one' && first === 'silent');
    return changes.flatMap((change) => {
      switch (change.kind) {
        case 'changed':
          return episode.state === 'open' ? (changedFields(episode, change.fields, { now, settle }) ?? []) : [];
        case 'moved':
          return movedRank(episode, change.direction, { now, settle }) ?? [];
        case 'rose':
        case 'fell': {
          // A waiting episode tracks its thresholds, but announces none.
          const due = crossedLines(episode, change, { now, settle, isNew });
          return due && episode.state === 'open' ? due : [];
        }
        default:
          return [];
      }
    });
  }

  #due(episode: ModelEpisode, kind: 'entered' | 'left'): DueChange {
    const watched = this.#rule.changes.some((change) => change.kind === kind);
    return { episode, kind, watched, text: '', names: [kind], settle: () => undefined };
  }

  #lastOver({ key, broadcast }: Sight): ModelEpisode | undefined {
    const over = this.#episodes.filter((episode) => episode.key === key && episode.broadcast === broadcast && episode.state === 'over');
    return over.toSorted((a, b) => b.overSince - a.overSince)[0];
  }

  #end(episode: ModelEpisode, now: number): EpisodeStep {
    this.#over(episode, now);
    return { what: 'ended', episode, rank: episode.rank, dues: [this.#due(episode, 'left')] };
  }

  #over(episode: ModelEpisode, now: number): void {
    Object.assign(episode, { state: 'over', overSince: now, seen: [], moves: [] });
    if (episode.verdict === 'held') episode.verdict = 'dropped';
    episode.deferred.delete('entered');
  }

  #forget(episode: ModelEpisode): void {
    this.#episodes = this.#episodes.filter((other) => other !== episode);
  }

  /** The deferred departures of items that are still gone, in order. Only the last departure of an item counts. */
  #deferredDepartures(
    { active, shownKeys, whole }: { active: readonly string[]; shownKeys: readonly string[]; whole: boolean },
    now: number,
  ): readonly EpisodeStep[] {
    if (this.#rule.quiet?.then === 'steps' || this.#effects.isQuiet(now)) return [];
    const left = this.#episodes
      .filter(({ isDepartureDeferred, state, overSince }) => isDepartureDeferred && state === 'over' && overSince < now)
      .toSorted((a, b) => a.overSince - b.overSince || a.rank - b.rank || (a.key < b.key ? -1 : 1));
    return left.flatMap((episode): readonly EpisodeStep[] => {
      const isBack = active.includes(episode.key) || shownKeys.includes(episode.key);
      const isLast = left.every((other) => other.key !== episode.key || other.overSince <= episode.overSince);
      if (!whole && !isBack && isLast) return [];
      episode.isDepartureDeferred = false;
      return isBack || !isLast ? [] : [{ what: 'gone', episode, rank: 0, dues: [this.#due(episode, 'left')] }];
    });
  }
}
