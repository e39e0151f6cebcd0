/** What to do where no answer came, by the code of what went wrong. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^ECONNREFUSED$/, 'nobody listens there; check the address, and whether the server runs.'],
  [/^ENOTFOUND$/, 'there is no such name; check the address.'],
  [/^EAI_AGAIN$/, 'no name can be looked up; check the network and the DNS of this machine.'],
  [/CONNECT_TIMEOUT|^ETIMEDOUT$/, 'no connection came about in time; check the address, the network and its firewall.'],
  [
    /CERT_HAS_EXPIRED/,
    'the certificate of the server has expired; its operator has to renew it, unless the clock of this machine is wrong.',
  ],
  [/CERT_NOT_YET_VALID/, 'the certificate of the server is not good yet; check the clock of this machine.'],
  [/ALTNAME_INVALID/, 'the certificate of the server is for another name; check the address.'],
  [
    /SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED|INVALID_CA/,
    'nobody whom this machine trusts vouches for the certificate of the server; check the address, or name the certificate in NODE_EXTRA_CA_CERTS if you vouch for it yourself.',
  ],
  [/CERT_/, 'the certificate of the server is not good.'],
  [/^(ERR_)?SSL_|^ERR_SSL|^EPROTO$|^ERR_TLS/, 'no TLS is spoken there; check whether the address begins with http:// or https://.'],
  [/EXCEEDED_MAX_SIZE/, 'it is larger than any answer of an API; is this the address of the API?'],
];

/** What to do where no answer came for `code`; undefined: nothing that the code tells. */
export function adviceOfSilence(code: string): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(code))?.[1];
}
