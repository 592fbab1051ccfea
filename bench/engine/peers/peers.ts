import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sample } from "../corpus.ts";

/** The jar of Debian's package libphonenumber8-java. */
const JAR = "/usr/share/java/libphonenumber.jar";

interface Peer {
  readonly name: string;
  /** How to install it. */
  readonly install: string;
  isThere(): boolean;
  /** The command that times it, after building it into the folder. */
  command(folder: string): readonly string[];
}

/** Google's own library outside JavaScript, in Debian's release. */
const PEERS: readonly Peer[] = [
  {
    name: "libphonenumber (C++)",
    install: "apt-get install g++ libphonenumber-dev",
    isThere: () => existsSync("/usr/include/phonenumbers/phonenumberutil.h"),
    command(folder) {
      const program = join(folder, "peer");
      run(["g++", "-O2", "-std=c++17", join(import.meta.dirname, "peer.cc"), "-o", program, "-lphonenumber"], "");
      return [program];
    },
  },
  {
    name: "libphonenumber (Java)",
    install: "apt-get install default-jdk-headless libphonenumber8-java",
    isThere: () => existsSync(JAR),
    command: () => ["java", "-cp", JAR, join(import.meta.dirname, "Peer.java")],
  },
];

function run([command = "", ...args]: readonly string[], input: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, encoding: "utf8", maxBuffer: 1 << 24 });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** Nanoseconds of CPU time per call, by task, of each installed peer. Prints what is skipped. */
export function timePeers(samples: readonly Sample[], rounds: number) {
  const input = samples.map(({ e164, dialed, country = "ZZ" }) => `${e164}\t${dialed}\t${country}\n`).join("");
  const folder = mkdtempSync(join(tmpdir(), "checkline-peers-"));
  try {
    return PEERS.flatMap(({ name, install, isThere, command }) => {
      if (!isThere()) {
        console.log(`${name} is skipped. To include it: ${install}`);
        return [];
      }
      const times = new Map<string, number[]>();
      for (const line of run([...command(folder), String(rounds)], input)
        .trim()
        .split("\n")) {
        const [task = "", time] = line.split("\t");
        times.set(task, [...(times.get(task) ?? []), Number(time)]);
      }
      return [{ name, times }];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
