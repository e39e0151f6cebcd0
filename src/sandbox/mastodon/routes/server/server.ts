import { toApplication } from '../../access/apps.ts';
import { scopesIn } from '../../access/scopes.ts';
import { toInstance, toInstanceV1 } from '../../entities/instance.ts';
import { MastodonRefusal } from '../../refusal.ts';
import { json } from '../../visit.ts';
import { anybody, nowhere, signedIn, type Routes } from '../api.ts';

/** What the server says of itself, the programs that register with it, and what the viewer prefers. */
export function serverRoutes(routes: Routes): void {
  routes.get(
    '/v1/instance',
    anybody('read', (found) => json(found, toInstanceV1(found))),
  );
  routes.get(
    '/v2/instance',
    anybody('read', (found) => (found.ground.settings.features.hasInstanceV2 ? json(found, toInstance(found)) : nowhere(found.ground))),
  );
  routes.get(
    '/v1/custom_emojis',
    anybody('read', (found) => json(found, [])),
  );

  routes.post('/v1/apps', (c) => {
    const found = c.var.visit;
    const { fields, ground } = found;
    const name = fields.text('client_name')?.trim() ?? '';
    const redirectUris = fields.texts('redirect_uris').flatMap((text) => text.split(/\s+/).filter((uri) => uri !== ''));
    const scopes = scopesIn(fields.text('scopes') ?? 'read');
    if (name === '') throw new MastodonRefusal(422, { error: "Validation failed: Application name can't be blank" });
    if (redirectUris.length === 0 || !redirectUris.every((uri) => URL.canParse(uri))) {
      throw new MastodonRefusal(422, { error: 'Validation failed: Redirect URI must be an absolute URI.' });
    }
    if (!scopes) throw new MastodonRefusal(422, { error: "Validation failed: Scopes doesn't match configured on the server." });
    const app = ground.apps.register({ name, website: fields.text('website'), redirectUris: [...redirectUris], scopes: [...scopes] });
    return json(found, toApplication(app, { credentials: true }));
  });

  routes.get('/v1/apps/verify_credentials', (c) => {
    const found = c.var.visit;
    if (!found.token) throw new MastodonRefusal(401, { error: 'The access token is invalid' });
    const app = found.token.appId === undefined ? undefined : found.ground.apps.find(found.token.appId);
    const own = { id: '0', name: 'Fanfare Sandbox', redirectUris: [], scopes: [...found.token.scopes], clientId: '', clientSecret: '' };
    return json(found, toApplication(app ?? own, { credentials: false }));
  });

  routes.get(
    '/v1/preferences',
    signedIn('read:accounts', (found) =>
      json(found, {
        'posting:default:visibility': 'public',
        'posting:default:sensitive': false,
        'posting:default:language': null,
        'posting:default:quote_policy': 'public',
        'reading:expand:media': 'default',
        'reading:expand:spoilers': false,
        'reading:autoplay:gifs': false,
      }),
    ),
  );

  routes.get(
    '/v1/instance/rules',
    anybody('read', (found) => json(found, toInstanceV1(found)['rules'] ?? [])),
  );
}
