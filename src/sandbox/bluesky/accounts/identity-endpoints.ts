import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Bluesky } from '../core.ts';
import { BLOB_LIMIT_BYTES } from '../repo/read-endpoints.ts';
import { open, type Endpoints } from '../xrpc/endpoint.ts';
import { Actor, Did, one } from '../xrpc/params.ts';
import { invalidRequest } from '../xrpc/refusal.ts';
import { HANDLE_DOMAIN } from './directory.ts';
import { didDocument, serverDid } from './did-document.ts';

/** `com.atproto.identity`, and what the server says of itself. */
export function identityEndpoints({ directory }: Bluesky): Endpoints {
  function documentOf(person: WorldPerson, pds: string): JsonObject {
    return didDocument({ did: directory.didOf(person), handle: directory.handleOf(person), pds });
  }

  return {
    'com.atproto.server.describeServer': open(z.object({}), (_, { origin }) => ({
      did: serverDid(origin),
      availableUserDomains: [HANDLE_DOMAIN],
      inviteCodeRequired: false,
      phoneVerificationRequired: false,
      blobUploadLimit: BLOB_LIMIT_BYTES,
      links: {},
      contact: {},
    })),

    'com.atproto.identity.resolveHandle': open(z.object({ handle: one(Actor) }), ({ handle }) => {
      const person = handle.startsWith('did:') ? undefined : directory.find(handle);
      if (!person) throw invalidRequest('Unable to resolve handle', 'HandleNotFound');
      return { did: directory.didOf(person) };
    }),

    'com.atproto.identity.resolveDid': open(z.object({ did: one(Did) }), ({ did }, { origin }) => {
      const person = directory.find(did);
      if (!person) throw invalidRequest('DID not found', 'DidNotFound');
      return { didDoc: documentOf(person, origin) };
    }),

    'com.atproto.identity.resolveIdentity': open(z.object({ identifier: one(Actor) }), ({ identifier }, { origin }) => {
      const person = directory.find(identifier);
      if (!person) throw invalidRequest('Unable to resolve handle', identifier.startsWith('did:') ? 'DidNotFound' : 'HandleNotFound');
      return { did: directory.didOf(person), handle: directory.handleOf(person), didDoc: documentOf(person, origin) };
    }),
  };
}
