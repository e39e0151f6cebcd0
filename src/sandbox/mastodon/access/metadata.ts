import type { JsonObject } from '#src/operation/json.ts';
import { SCOPES } from './scopes.ts';

/** `/.well-known/oauth-authorization-server`: where an app finds what it needs to sign somebody in. */
export function oauthMetadata(home: string): JsonObject {
  return {
    issuer: `${home}/`,
    service_documentation: 'https://docs.joinmastodon.org/',
    authorization_endpoint: `${home}/oauth/authorize`,
    token_endpoint: `${home}/oauth/token`,
    app_registration_endpoint: `${home}/api/v1/apps`,
    revocation_endpoint: `${home}/oauth/revoke`,
    userinfo_endpoint: `${home}/oauth/userinfo`,
    scopes_supported: [...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
  };
}
