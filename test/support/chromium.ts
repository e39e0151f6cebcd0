import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Without windows, Chromium takes half of the CPU time. Not each system has a package of this build. */
const EXECUTABLE = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Tests in a browser are skipped without one. */
export const hasChromium = EXECUTABLE !== undefined;

/** Starts the browser of the tests. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ ...(EXECUTABLE !== undefined && { executablePath: EXECUTABLE }), args: ['--no-sandbox', '--disable-gpu'] });
}
