const OTHERS_BITS = 0o077;

/** Whether other users can access a file or folder with this mode. Windows does not use modes. */
export function isForOthers(mode: number, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== 'win32' && (mode & OTHERS_BITS) !== 0;
}

/** The mode without the access of other users. */
export function forOwner(mode: number): number {
  return mode & 0o7777 & ~OTHERS_BITS;
}
