const OTHERS_BITS = 0o077;

/** Whether somebody beside its owner may use a file or folder of this mode. Windows has other means, and says that everybody may. */
export function isForOthers(mode: number, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== 'win32' && (mode & OTHERS_BITS) !== 0;
}

/** The same mode for the owner alone. */
export function forOwner(mode: number): number {
  return mode & 0o7777 & ~OTHERS_BITS;
}
