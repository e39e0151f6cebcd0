import type { JsonObject } from '#src/operation/json.ts';

/** A key of the curve that repositories are signed with. Nothing here is signed with it. */
const PUBLIC_KEY = 'zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF';

export interface Identified {
  readonly did: string;
  readonly handle: string;
  /** Where its repository is, as `http://127.0.0.1:8081`. */
  readonly pds: string;
}

/** What a DID stands for, as the directory answers. */
export function didDocument({ did, handle, pds }: Identified): JsonObject {
  return {
    '@context': [
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/multikey/v1',
      'https://w3id.org/security/suites/secp256k1-2019/v1',
    ],
    id: did,
    alsoKnownAs: [`at://${handle}`],
    verificationMethod: [{ id: `${did}#atproto`, type: 'Multikey', controller: did, publicKeyMultibase: PUBLIC_KEY }],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: pds }],
  };
}

/** The DID of a server by its address. */
export function serverDid(origin: string): string {
  return `did:web:${new URL(origin).host.replace(':', '%3A')}`;
}
