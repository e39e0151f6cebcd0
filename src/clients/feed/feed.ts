import { withOperations } from '#src/clients/operation/client.ts';
import type { Platform } from '#src/clients/operation/platform.ts';
import * as items from './items.ts';

/** The topics of `Feed`: every export is an operation. */
export const feedTopics = [items] as const;

/** The platform of feeds. */
export type FeedPlatform = Platform<typeof items>;

/** Reads feeds of the open internet. */
export class Feed extends withOperations(...feedTopics) {}
