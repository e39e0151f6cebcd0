import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../../journal.ts';

const COLLECTION = 'mastodon.apps';
/** Instead of an address to come back to: the code is shown, to be copied. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';

const App = z.object({
  id: z.string(),
  name: z.string(),
  website: z.string().optional(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.string()),
  clientId: z.string(),
  clientSecret: z.string(),
});

/** A program that may ask people for access. */
export interface App extends Readonly<z.output<typeof App>> {}

/** The programs that registered. */
export class Apps {
  readonly #journal: Journal;
  readonly #byId = new Map<string, App>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) {
      const app = App.parse(document);
      this.#byId.set(app.id, app);
    }
  }

  register(facts: Pick<App, 'name' | 'website' | 'redirectUris' | 'scopes'>): App {
    const [clientId, clientSecret] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
    const app = { ...facts, id: String(this.#byId.size + 1), clientId, clientSecret };
    this.#journal.put(COLLECTION, app.id, { ...app });
    this.#byId.set(app.id, app);
    return app;
  }

  find(id: string): App | undefined {
    return this.#byId.get(id);
  }

  byClientId(clientId: string | undefined): App | undefined {
    return this.#byId.values().find((app) => app.clientId === clientId);
  }
}

/** An app as whoever registered it sees it; `credentials` are shown once. */
export function toApplication(app: App, { credentials }: { readonly credentials: boolean }): JsonObject {
  const { id, name, website, redirectUris, scopes, clientId, clientSecret } = app;
  return {
    id,
    name,
    website: website ?? null,
    scopes,
    redirect_uri: redirectUris.join('\n'),
    redirect_uris: redirectUris,
    ...(credentials && { client_id: clientId, client_secret: clientSecret, client_secret_expires_at: 0 }),
  };
}
