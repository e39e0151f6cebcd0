import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Without windows, Chromium takes half of the CPU time. Not each system has a package of this build. */
const EXECUTABLE = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Tests in a browser are skipped without one. */
export const hasChromium = EXECUTABLE !== undefined;

/** Starts the browser of the tests. For it, `localNames` are names of this machine that do not belong to the loopback. */
export function launchChromium({ localNames = [] }: { readonly localNames?: readonly string[] } = {}): Promise<Browser> {
  const rules = localNames.map((name) => `MAP ${name} 127.0.0.1`).join(', ');
  const args = ['--no-sandbox', '--disable-gpu', ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])];
  return chromium.launch({ ...(EXECUTABLE !== undefined && { executablePath: EXECUTABLE }), args });
}
