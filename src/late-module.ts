import { PlatformError } from '#src/errors.ts';

/** A part of Fanfare cannot be loaded, for example because an upgrade replaced its files. A retry after a restart succeeds. */
class ModuleUnavailable extends PlatformError {
  constructor(module: string, cause: unknown) {
    const message = `${module} cannot be loaded: its files are missing or were replaced. Restart Fanfare.`;
    super(message, { platform: 'fanfare', fault: 'unreachable', cause });
  }
}

type Load<T> = () => Promise<T>;

const wanted = new Set<Load<unknown>>();

/** A module that is loaded with its first use, because it is large. A failure is an outage and not a defect of the input. */
export function lateModule<T>(name: string, load: Load<T>): Load<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new ModuleUnavailable(name, cause);
    }));
}

/** Makes `loadLateModules` load a module. */
export function wantsLate(load: Load<unknown>): void {
  wanted.add(load);
}

/** Loads the late modules that a running process can need, before an upgrade in place removes their files. Never rejects. */
export async function loadLateModules(): Promise<void> {
  for (const load of wanted) await load().catch(() => undefined);
}
