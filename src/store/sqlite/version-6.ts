/** The rows that a platform bills once a day. */
export const VERSION_6 = `
create table billed_row (account text not null, day text not null, row text not null, primary key (account, day, row)) strict, without rowid;
`;
