/** What of wrangler.toml is read here; everything else is left out of the derived configuration. */
export interface ProjectConfig {
  readonly name: string;
  readonly compatibility_date: string;
  readonly account_id?: string;
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_name: string;
    readonly database_id?: string;
  }[];
  readonly queues: { readonly producers: readonly { readonly binding: string; readonly queue: string }[] };
}

/** A database as `wrangler d1 list --json` names it. */
export interface ListedDatabase {
  readonly uuid: string;
  readonly name: string;
}

/** The project's one database. */
export function databaseOf(project: ProjectConfig): ProjectConfig["d1_databases"][number] {
  const [database] = project.d1_databases;
  if (database === undefined) throw new Error("wrangler.toml binds no D1 database.");
  return database;
}

/** A configuration without code, whose database and queues are those of the deployed worker. */
export function remoteConfig(project: ProjectConfig, databaseId: string) {
  const { name, compatibility_date, account_id, queues } = project;
  const { binding, database_name } = databaseOf(project);
  return {
    name: `${name}-admin`,
    compatibility_date,
    send_metrics: false,
    ...(account_id !== undefined && { account_id }),
    d1_databases: [{ binding, database_name, database_id: databaseId, remote: true }],
    queues: { producers: queues.producers.map((producer) => ({ ...producer, remote: true })) },
  };
}
