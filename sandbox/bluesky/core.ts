import type { SandboxContext } from '../context.ts';
import { scopedJournal } from '../journal.ts';
import { createSocialCore, type SocialCore } from '../social/core.ts';
import { AccountStates, type Directory, directoryOf } from './accounts.ts';
import { Sessions } from './sessions.ts';
import { Blobs } from './blobs.ts';
import { effectsOf } from './effects.ts';
import { type GraphRecords, type PostRecords, graphRecordsOf, postRecordsOf } from './social-records.ts';
import { Repositories } from './records.ts';
import { type GeneratedRecords, generatedRecordsOf } from './generated-records.ts';
import { type Writing, createWriting } from './writing.ts';
import { Subscriptions } from './subscriptions.ts';
import { MessageDetails } from './message-details.ts';

export const NAME = 'bluesky';

/** Bluesky as all of its services share it: people, what they did, and the records of it. */
export interface Bluesky {
  readonly context: SandboxContext;
  readonly core: SocialCore;
  readonly directory: Directory;
  readonly accountStates: AccountStates;
  readonly sessions: Sessions;
  readonly repositories: Repositories;
  readonly blobs: Blobs;
  readonly posts: PostRecords;
  readonly graph: GraphRecords;
  readonly generated: GeneratedRecords;
  readonly writing: Writing;
  readonly subscriptions: Subscriptions;
  readonly messageDetails: MessageDetails;
}

/** The network of a sandbox, as the last end left it. */
export function openBluesky(input: SandboxContext): Bluesky {
  const journal = scopedJournal(input.journal, NAME);
  const context = { ...input, journal };
  const core = createSocialCore({ name: NAME, context });
  const directory = directoryOf(core.people);
  const repositories = new Repositories(journal);
  const blobs = new Blobs(journal);
  const posts = postRecordsOf({ core, directory, repositories });
  const graph = graphRecordsOf({ directory, repositories, posts });
  const generated = generatedRecordsOf({ core, directory, repositories, posts, graph });
  const effects = effectsOf({ core, directory, repositories, posts });
  const writing = createWriting({ repositories, blobs, effects, generated });
  writing.settle(context.clock.nowMs());
  return {
    context,
    core,
    directory,
    accountStates: new AccountStates(journal),
    sessions: new Sessions({ journal, clock: context.clock, directory }),
    repositories,
    blobs,
    posts,
    graph,
    generated,
    writing,
    subscriptions: new Subscriptions(journal),
    messageDetails: new MessageDetails(journal),
  };
}
