import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { features, serverKinds, type Features } from './kinds.ts';
import { limitNames } from './limits/limits.ts';
import { locales } from './wording.ts';

const COLLECTION = 'mastodon.settings';
const ID = 'server';

const ServerSettings = z.object({
  kind: z.enum(serverKinds),
  /** Whether the server translates; `down`: it would, but its own provider fails. */
  translation: z.enum(['on', 'off', 'down']),
  /** Whether texts can be searched: `GET /api/v2/search?type=statuses`. */
  fullText: z.boolean(),
  /** What refusals are worded in; absent: what the request asks for. */
  locale: z.enum(locales).optional(),
  maxCharacters: z.int().min(1),
  /** How many requests of each sort are taken; the official numbers where it does not say. */
  limits: z.partialRecord(z.enum(limitNames), z.int().min(0)),
  /** Whether the signed-in account may do nothing any more. */
  suspended: z.boolean(),
});

/** How the server is set up. */
export interface ServerSettings extends Readonly<z.output<typeof ServerSettings>> {}

/** What an order may change. */
export const SettingsOrder = z.strictObject(ServerSettings.shape).partial();

const usual: ServerSettings = { kind: '4.6', translation: 'on', fullText: true, maxCharacters: 500, limits: {}, suspended: false };

/** How the server is set up, across restarts. */
export class Settings {
  readonly #journal: Journal;
  #current: ServerSettings;

  constructor(journal: Journal) {
    this.#journal = journal;
    const kept = journal.get(COLLECTION, ID);
    this.#current = kept === undefined ? usual : ServerSettings.parse(kept);
  }

  get current(): ServerSettings {
    return this.#current;
  }

  get features(): Features {
    return features[this.#current.kind];
  }

  change(order: z.output<typeof SettingsOrder>): ServerSettings {
    const changed = ServerSettings.parse({ ...this.#current, ...order });
    this.#journal.put(COLLECTION, ID, { ...changed, limits: { ...changed.limits } });
    this.#current = changed;
    return changed;
  }
}
