import { createLookups } from '../lookups/lookups.ts';
import type { DiscordParts } from '../parts.ts';
import type { Command } from './command.ts';
import { clipsCommand } from './clips.ts';
import { deliveriesCommand } from './deliveries.ts';
import { gameCommand } from './game.ts';
import { liveCommand } from './live.ts';
import { postCommand } from './post.ts';
import { resolveCommand } from './resolve.ts';
import { rulesCommand } from './rules.ts';
import { searchCommand } from './search.ts';
import { socialCommand } from './social.ts';
import { statusCommand } from './status.ts';
import { topCommand } from './top.ts';
import { userCommand } from './user.ts';
import { videosCommand } from './videos.ts';
import { whyCommand } from './why.ts';

const LOOKUPS = [liveCommand, topCommand, gameCommand, userCommand, videosCommand, clipsCommand, searchCommand, socialCommand];

const CONTROLS = [rulesCommand, deliveriesCommand, resolveCommand, statusCommand, whyCommand];

/** The commands for which there is all that they need. */
export function allCommands(parts: DiscordParts): readonly Command[] {
  const { controls, posting, clock } = parts;
  const lookups = createLookups(parts);
  return [
    ...LOOKUPS.flatMap((command) => command(lookups)),
    ...(posting ? [postCommand({ posting, clock })] : []),
    ...(controls ? CONTROLS.map((command) => command({ controls, clock })) : []),
  ];
}
