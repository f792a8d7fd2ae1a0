// Times for the reader: in the reader's own zone, and how long is left.
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function when(stamp) {
  const at = new Date(stamp);
  return Number.isNaN(at.getTime()) ? stamp : WHEN.format(at);
}

// "2 d 4 h" from a number of seconds; what has run out says so.
export function left(seconds) {
  if (seconds <= 0) return "time is up";
  const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24, minutes = Math.floor(seconds / 60) % 60;
  if (days) return `${days} d${hours && days < 10 ? ` ${hours} h` : ""} left`;
  return hours ? `${hours} h left` : `${minutes} min left`;
}

export const until = (stamp) => left((new Date(stamp).getTime() - Date.now()) / 1000);

export const hours = (count) => (count % 24 === 0 && count > 24 ? `${count / 24} days` : count === 1 ? "1 hour" : `${count} hours`);
