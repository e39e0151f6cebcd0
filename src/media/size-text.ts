const MIB = 1024 * 1024;

/** So many bytes in words, as `10 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < MIB) return `${Math.round(bytes / 1024)} KiB`;
  return `${Number((bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0))} MiB`;
}
