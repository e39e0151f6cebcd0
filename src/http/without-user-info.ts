/** The address without its user name and password, which messages, logs and other servers must not get. */
export function withoutUserInfo(address: string): string {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}
