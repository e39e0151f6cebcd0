/**
 * The address of a database for the driver. In each of these modes, the driver verifies the certificate and the host name, like `verify-full`
 * states; for the other names, it also prints a warning.
 */
export function driverUrl(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/u.test(url)) return url;
  return url.replaceAll(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/gu, 'verify-full');
}
