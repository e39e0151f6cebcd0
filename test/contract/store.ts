import { describe } from 'vitest';
import type { Store } from '#src/store/store.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { accessContract } from './access.ts';
import { accountUsageContract } from './account-usage.ts';
import { auditLogContract } from './audit-log.ts';
import { conversationPointsContract } from './assistant-rows.ts';
import { deliveriesContract } from './deliveries.ts';
import { dueDeliveriesContract } from './due.ts';
import { environmentsContract } from './environments.ts';
import { episodeDeliveriesContract } from './episode-deliveries.ts';
import { itemNamesContract } from './item-names.ts';
import { announcementsContract } from './announcements.ts';
import { listSourcesContract } from './list-sources.ts';
import { listsContract } from './lists.ts';
import { listingsContract } from './listings.ts';
import { notifiersContract, subscriptionsContract } from './notifiers.ts';
import { outagesContract } from './outages.ts';
import { partsContract, atomicPartsContract } from './parts.ts';
import { postsContract } from './posts.ts';
import { recordsContract } from './records.ts';
import { repeatedRequestsContract } from './repeated-requests.ts';
import { restoresContract } from './restores.ts';
import { retentionContract } from './retention.ts';
import { begunAttemptsContract } from './begun-attempts.ts';
import { collectionsContract } from './collections.ts';
import { plannedPausesContract } from './planned-pauses.ts';
import { repeatsContract } from './repeats.ts';
import { ruleStatesContract } from './rule-states.ts';
import { sentLogContract } from './sent-log.ts';
import { storedClockContract } from './stored-clock.ts';
import { discordServersContract } from './discord-servers.ts';
import { totalsContract } from './totals.ts';
import { transcriptsContract } from './transcripts.ts';
import { webhooksContract } from './webhooks.ts';

/** A new, empty store. */
export type OpenStore = (clock: ManualClock) => Promise<Store>;

/** The contract of every store. */
export function describeStore(name: string, open: OpenStore): void {
  describe(`a store: ${name}`, () => {
    describe('the state of rules', () => {
      ruleStatesContract(open);
      collectionsContract(open);
      repeatsContract(open);
      plannedPausesContract(open);
      webhooksContract(open);
    });
    describe('names of items', () => {
      itemNamesContract(open);
    });
    describe('audit log', () => {
      auditLogContract(open);
    });
    describe('people, sessions and tokens', () => {
      accessContract(open);
    });
    describe('Discord servers', () => {
      discordServersContract(open);
    });
    describe('repeated requests', () => {
      repeatedRequestsContract(open);
    });
    describe('deliveries', () => {
      deliveriesContract(open);
    });
    describe('parts of a delivery', () => {
      partsContract(open);
      atomicPartsContract(open);
    });
    describe('due deliveries', () => {
      dueDeliveriesContract(open);
      begunAttemptsContract(open);
      episodeDeliveriesContract(open);
    });
    describe('lists of deliveries and decisions', () => {
      listingsContract(open);
      announcementsContract(open);
    });
    describe('totals', () => {
      totalsContract(open);
    });
    describe('use of accounts', () => {
      accountUsageContract(open);
    });
    describe('notifications of platforms', () => {
      notifiersContract(open);
      subscriptionsContract(open);
    });
    describe('outages', () => {
      outagesContract(open);
    });
    describe('deliveries that rules read', () => {
      sentLogContract(open);
    });
    describe('living lists', () => {
      listsContract(open);
    });
    describe('sources of lists', () => {
      listSourcesContract(open);
    });
    describe('rule files, standing messages and episodes', () => {
      recordsContract(open);
    });
    describe('posts of people', () => {
      postsContract(open);
    });
    describe('points of conversations', () => {
      conversationPointsContract(open);
    });
    describe('a clock that is set back', () => {
      storedClockContract(open);
    });
    describe('restores', () => {
      restoresContract(open);
    });
    describe('the environment', () => {
      environmentsContract(open);
    });
    describe('retention', () => {
      retentionContract(open);
    });
    describe('transcripts', () => {
      transcriptsContract(open);
    });
  });
}
