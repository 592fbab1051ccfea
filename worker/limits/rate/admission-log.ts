/** When requests were admitted, oldest first, in milliseconds: a ring that grows to the busiest window it has seen. */
export interface AdmissionLog {
  times: Float64Array;
  first: number;
  size: number;
}

const FIRST_CAPACITY = 8;

/** An empty log. It takes 8 bytes an admission, and 64 while there are few. */
export function createAdmissionLog(): AdmissionLog {
  return { times: new Float64Array(FIRST_CAPACITY), first: 0, size: 0 };
}

/** The time of an admission by age, 0 being the oldest kept. */
export function admissionAt(log: AdmissionLog, position: number): number {
  return log.times[(log.first + position) % log.times.length]!;
}

/** Notes an admission that is no older than those before it. */
export function appendAdmission(log: AdmissionLog, time: number): void {
  if (log.size === log.times.length) grow(log);
  log.times[(log.first + log.size) % log.times.length] = time;
  log.size += 1;
}

/** Forgets admissions of this time and before. */
export function forgetAdmissions(log: AdmissionLog, time: number): void {
  while (log.size > 0 && log.times[log.first]! <= time) {
    log.first = (log.first + 1) % log.times.length;
    log.size -= 1;
  }
}

function grow(log: AdmissionLog): void {
  const times = new Float64Array(2 * log.times.length);
  for (let position = 0; position < log.size; position++) times[position] = admissionAt(log, position);
  log.times = times;
  log.first = 0;
}
