import type { DiscordParts } from '../parts.ts';
import { askCommand } from './ask.ts';
import type { Command } from './command.ts';
import { gameCommand } from './game.ts';
import { liveCommand } from './live.ts';

/** The commands for which there is all that they need. */
export function allCommands({ bot, assistant, clock, signal }: DiscordParts): readonly Command[] {
  return [
    ...(bot ? [gameCommand({ bot, clock, signal }), liveCommand({ bot, clock, signal })] : []),
    ...(assistant ? [askCommand({ assistant, clock, signal })] : []),
  ];
}
