import { describe } from 'vitest';
import type { Store } from '#src/store/store.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { keepsConversing } from './assistant-rows.ts';
import { keepsDeliveries } from './deliveries.ts';
import { knowsWhatIsDue } from './due.ts';
import { keepsListings } from './listings.ts';
import { keepsParts, writesPartsAtOnce } from './parts.ts';
import { keepsPosts } from './posts.ts';
import { keepsRecords } from './records.ts';
import { keepsRuleStates } from './rule-states.ts';
import { outlivesClocks } from './stored-clock.ts';
import { keepsTranscripts } from './transcripts.ts';

/** A new, empty store. */
export type OpenStore = (clock: ManualClock) => Promise<Store>;

/** The contract of every store. */
export function describeStore(name: string, open: OpenStore): void {
  describe(`a store: ${name}`, () => {
    describe('the state of rules', () => {
      keepsRuleStates(open);
    });
    describe('deliveries', () => {
      keepsDeliveries(open);
    });
    describe('deliveries that are made of one', () => {
      keepsParts(open);
      writesPartsAtOnce(open);
    });
    describe('what is due', () => {
      knowsWhatIsDue(open);
    });
    describe('lists', () => {
      keepsListings(open);
    });
    describe('what else is kept', () => {
      keepsRecords(open);
    });
    describe('posts of people', () => {
      keepsPosts(open);
    });
    describe('where conversations stand', () => {
      keepsConversing(open);
    });
    describe('a clock that was ahead', () => {
      outlivesClocks(open);
    });
    describe('transcripts', () => {
      keepsTranscripts(open);
    });
  });
}
