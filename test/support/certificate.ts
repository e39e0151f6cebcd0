import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

let made: { readonly key: string; readonly cert: string } | undefined;

/** A self-signed certificate for 127.0.0.1. */
export function makeCertificate(): { readonly key: string; readonly cert: string } {
  using folder = temporaryFolder();
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder.path, name)) as [string, string]; // two names, two paths
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const options = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', ...subject];
  made ??=
    (execFileSync('openssl', [...options, '-keyout', key, '-out', cert], { stdio: 'ignore' }),
    {
      key: readFileSync(key, 'utf8'),
      cert: readFileSync(cert, 'utf8'),
    });
  return made;
}
