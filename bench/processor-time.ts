import { readdirSync, readFileSync } from "node:fs";

/** The processes of workerd that this process has started; empty where there is no /proc. */
export function workerdProcesses(): Set<string> {
  const own = new Set<string>();
  for (const pid of list("/proc")) {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+) /.exec(read(`/proc/${pid}/stat`)) ?? [];
    if (name === "workerd" && Number(parent) === process.pid) own.add(pid);
  }
  return own;
}

/** Microseconds that all threads of a process have run; NaN where /proc does not say. */
export function processorTime(pid: string | undefined): number {
  const threads = pid === undefined ? [] : list(`/proc/${pid}/task`);
  if (threads.length === 0) return Number.NaN;
  const nanoseconds = threads.map((thread) =>
    Number.parseInt(read(`/proc/${pid}/task/${thread}/schedstat`) || "0", 10),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1000;
}

// A process or thread may end while it is looked at.
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
