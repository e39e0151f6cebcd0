import type { Asker } from '../asker.ts';
import type { Words } from '../language/words.ts';
import { escaped } from '../text/foreign-text.ts';
import type { Controls } from './controls.ts';

export interface TurnOptions {
  readonly controls: Controls;
  readonly asker: Pick<Asker, 'name'>;
  readonly words: Words;
}

/** Pauses rules in somebody's name; says which. */
export async function pauseRules(ids: readonly string[], { controls, asker, words }: TurnOptions): Promise<string> {
  const done = await controls.pause(ids, `${asker.name} (Discord)`);
  return done.length > 0 ? words.controls.paused(named(done)) : words.controls.pausedAlready(named(ids));
}

/** Lets rules speak again; says which. */
export async function resumeRules(ids: readonly string[], { controls, words }: TurnOptions): Promise<string> {
  const done = await controls.resume(ids);
  return done.length > 0 ? words.controls.resumed(named(done)) : words.controls.notPaused(named(ids));
}

const NAMED = 10;

function named(ids: readonly string[]): string {
  const more = ids.length > NAMED ? ', …' : '';
  return `**${ids
    .slice(0, NAMED)
    .map((id) => escaped(id, 100))
    .join(', ')}**${more}`;
}
