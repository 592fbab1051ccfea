import { readdirSync, readFileSync } from "node:fs";

/** The workerd processes started by this process; empty without /proc. */
export function workerdProcesses(): Set<string> {
  const own = new Set<string>();
  for (const pid of list("/proc")) {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+) /.exec(read(`/proc/${pid}/stat`)) ?? [];
    if (name === "workerd" && Number(parent) === process.pid) own.add(pid);
  }
  return own;
}

/** The CPU time of all threads of a process in microseconds; NaN if /proc doesn't have it. */
export function cpuTime(pid: string | undefined): number {
  const threads = pid === undefined ? [] : list(`/proc/${pid}/task`);
  if (threads.length === 0) return Number.NaN;
  const nanoseconds = threads.map((thread) =>
    Number.parseInt(read(`/proc/${pid}/task/${thread}/schedstat`) || "0", 10),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1000;
}

// A process or thread may end in the meantime.
function list(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
