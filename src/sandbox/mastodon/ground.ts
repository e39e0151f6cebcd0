import type { Clock } from '#src/clock.ts';
import type { SandboxContext } from '../context.ts';
import { scopedJournal } from '../scoped-journal.ts';
import type { StoredPost } from '../social/posts.ts';
import { socialStage, type SocialStage } from '../social/stage.ts';
import { pictureAddresses, type Pictures } from '../twitch/pictures/addresses.ts';
import { Apps } from './access/apps.ts';
import { Tokens } from './access/tokens.ts';
import { directoryOf, type Directory } from './directory.ts';
import { Identifiers, spellings } from './identifiers/identifiers.ts';
import { FactsOfLists } from './list-facts.ts';
import { Limits } from './limits/limits.ts';
import { Marks } from './marks.ts';
import { FactsOfStatuses } from './posts/facts.ts';
import { FactsOfFiles } from './posts/files.ts';
import { lettersTo } from './posts/letters.ts';
import { ScheduledStatuses } from './posts/scheduled.ts';
import { Repeats } from './repeats.ts';
import { Settings } from './settings.ts';

export const NAME = 'mastodon';

/** The server: everything that its requests work with. */
export interface Ground {
  readonly stage: SocialStage;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly ids: Identifiers;
  readonly directory: Directory;
  readonly pictures: Pictures;
  readonly facts: FactsOfStatuses;
  readonly files: FactsOfFiles;
  readonly listFacts: FactsOfLists;
  readonly scheduled: ScheduledStatuses;
  readonly marks: Marks;
  readonly repeats: Repeats;
  readonly apps: Apps;
  readonly tokens: Tokens;
  readonly limits: Limits;
  /** What people once wrote to the account. */
  readonly letters: readonly StoredPost[];
  /** Where the server stands, as `http://127.0.0.1:8081/mastodon`. */
  readonly home: string;
}

/** The server in a sandbox; all that is written to it is in the context's journal. */
export function groundOf(context: SandboxContext): Ground {
  const { clock, url } = context;
  const journal = scopedJournal(context.journal, NAME);
  const stage = socialStage({ name: NAME, context: { ...context, journal } });
  const settings = new Settings(journal);
  const home = (): string => `${url()}/${NAME}`;
  return {
    stage,
    clock,
    settings,
    ids: new Identifiers({ people: stage.people, spelling: () => spellings[settings.features.idsAre] }),
    directory: directoryOf({ people: stage.people, home }),
    facts: new FactsOfStatuses(journal),
    files: new FactsOfFiles(journal),
    listFacts: new FactsOfLists(journal),
    scheduled: new ScheduledStatuses(journal),
    marks: new Marks(journal),
    repeats: new Repeats(),
    apps: new Apps(journal),
    tokens: new Tokens({ journal, clock }),
    limits: new Limits(() => settings.current.limits),
    letters: lettersTo(stage.people),
    // The address is known only once the sandbox listens.
    get home() {
      return home();
    },
    get pictures() {
      return pictureAddresses(`${home()}/pictures`);
    },
  };
}
