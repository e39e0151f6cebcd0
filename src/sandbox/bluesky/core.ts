import type { SandboxContext } from '../context.ts';
import { scopedJournal } from '../scoped-journal.ts';
import { socialStage, type SocialStage } from '../social/stage.ts';
import { directoryOf, type Directory } from './accounts/directory.ts';
import { Sessions } from './accounts/sessions.ts';
import { Blobs } from './repo/blobs.ts';
import { effectsOf } from './repo/effects.ts';
import { graphRecordsOf, type GraphRecords } from './repo/graph-records.ts';
import { postRecordsOf, type PostRecords } from './repo/post-records.ts';
import { Repositories } from './repo/repository.ts';
import { unwrittenOf, type Unwritten } from './repo/unwritten.ts';
import { writingTo, type Writing } from './repo/writing.ts';
import { Subscriptions } from './app/subscriptions.ts';
import { Standings } from './accounts/standings.ts';
import { MessageMarks } from './chat/message-marks.ts';

export const NAME = 'bluesky';

/** Bluesky as all of its services share it: people, what they did, and the records of it. */
export interface Bluesky {
  readonly context: SandboxContext;
  readonly stage: SocialStage;
  readonly directory: Directory;
  readonly standings: Standings;
  readonly sessions: Sessions;
  readonly repositories: Repositories;
  readonly blobs: Blobs;
  readonly posts: PostRecords;
  readonly graph: GraphRecords;
  readonly unwritten: Unwritten;
  readonly writing: Writing;
  readonly subscriptions: Subscriptions;
  readonly messageMarks: MessageMarks;
}

/** The network of a sandbox, as the last end left it. */
export function openBluesky(given: SandboxContext): Bluesky {
  const journal = scopedJournal(given.journal, NAME);
  const context = { ...given, journal };
  const stage = socialStage({ name: NAME, context });
  const directory = directoryOf(stage.people);
  const repositories = new Repositories(journal);
  const blobs = new Blobs(journal);
  const posts = postRecordsOf({ stage, directory, repositories });
  const graph = graphRecordsOf({ directory, repositories, posts });
  const unwritten = unwrittenOf({ stage, directory, repositories, posts, graph });
  const effects = effectsOf({ stage, directory, repositories, posts });
  const writing = writingTo({ repositories, blobs, effects, unwritten });
  writing.settle(context.clock.nowMs());
  return {
    context,
    stage,
    directory,
    standings: new Standings(journal),
    sessions: new Sessions({ journal, clock: context.clock, directory }),
    repositories,
    blobs,
    posts,
    graph,
    unwritten,
    writing,
    subscriptions: new Subscriptions(journal),
    messageMarks: new MessageMarks(journal),
  };
}
