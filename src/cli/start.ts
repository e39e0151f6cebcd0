import { mkdir } from 'node:fs/promises';
import type { App, AppOptions } from '#src/app.ts';
import type { Terminal } from './terminal.ts';
