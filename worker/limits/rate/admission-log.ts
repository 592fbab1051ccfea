/**
 * When calls were admitted, in milliseconds, and their weights, oldest first: a ring that grows to the busiest window
 * it has seen.
 */
export interface AdmissionLog {
  times: Float64Array;
  weights: Uint32Array;
  first: number;
  size: number;
  /** The sum of the weights. */
  total: number;
}

const FIRST_CAPACITY = 8;

/** An empty log. Uses 12 bytes per admission, and 96 while there are few. */
export function createAdmissionLog(): AdmissionLog {
  return {
    times: new Float64Array(FIRST_CAPACITY),
    weights: new Uint32Array(FIRST_CAPACITY),
    first: 0,
    size: 0,
    total: 0,
  };
}

/** The time of an admission by age; 0 is the oldest kept. */
export function admissionAt(log: AdmissionLog, position: number): number {
  return log.times[(log.first + position) % log.times.length]!;
}

/**
 * The time through which admissions must expire to free this much weight; that of the newest if they weigh less in
 * total.
 */
export function timeOfWeight(log: AdmissionLog, weight: number): number {
  let position = 0;
  for (let gone = 0; position < log.size; position++) {
    gone += log.weights[(log.first + position) % log.times.length]!;
    if (gone >= weight) break;
  }
  return admissionAt(log, Math.min(position, log.size - 1));
}

/** Appends an admission, no older than those before it. */
export function appendAdmission(log: AdmissionLog, time: number, weight: number): void {
  if (log.size === log.times.length) grow(log);
  const position = (log.first + log.size) % log.times.length;
  log.times[position] = time;
  log.weights[position] = weight;
  log.size += 1;
  log.total += weight;
}

/** Drops admissions up to and including this time. */
export function forgetAdmissions(log: AdmissionLog, time: number): void {
  while (log.size > 0 && log.times[log.first]! <= time) {
    log.total -= log.weights[log.first]!;
    log.first = (log.first + 1) % log.times.length;
    log.size -= 1;
  }
}

/** Drops the newest admission. */
export function forgetNewest(log: AdmissionLog): void {
  if (log.size === 0) return;
  log.size -= 1;
  log.total -= log.weights[(log.first + log.size) % log.times.length]!;
}

function grow(log: AdmissionLog): void {
  const { times, weights, first, size } = log;
  log.times = new Float64Array(2 * size);
  log.weights = new Uint32Array(2 * size);
  for (let position = 0; position < size; position++) {
    log.times[position] = times[(first + position) % size]!;
    log.weights[position] = weights[(first + position) % size]!;
  }
  log.first = 0;
}
