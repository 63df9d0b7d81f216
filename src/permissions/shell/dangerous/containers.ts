/** Dangerous uses of the programs that drive containers, clusters and infrastructure. */
import { always, configures, deletes, firstWordNot, loads, type Program, remote, runs, system } from "./table.ts"

export const containers = (): ReadonlyArray<Program> => [
  {
    names: "docker podman nerdctl",
    syntax: { takes: "-H --host -c --context --config -l --log-level", style: "exact" },
    before: "-D --debug -v --version -h --help -l --log-level",
    subs: {
      "*": { style: "exact" },
      compose: {
        takes: "-f --file -p --project-name --profile --env-file --project-directory --ansi --progress --parallel",
        style: "exact",
        stops: true
      }
    },
    known:
      "ps images logs version info inspect top stats port diff events history search help container image volume network system " +
      "context compose",
    rows: [
      { flags: "-H --host -c --context --config --url --connection", why: remote },
      { sub: "run exec create start restart build buildx", when: always, why: runs },
      { sub: "rm rmi kill stop prune", when: always, why: deletes },
      { sub: "cp load import commit tag push pull login logout update rename", when: always, why: system },
      { sub: "container", when: firstWordNot("ls list ps logs inspect top stats port diff"), why: runs },
      { sub: "image volume network context", when: firstWordNot("ls list inspect history show"), why: system },
      { sub: "system", when: firstWordNot("df info events"), why: deletes },
      { sub: "compose", when: firstWordNot("ps logs ls images top version port"), why: runs }
    ]
  },
  {
    names: "docker-compose podman-compose",
    syntax: { takes: "-f --file -p --project-name", stops: true },
    rows: [{ when: firstWordNot("ps logs images top version port"), why: runs }]
  },
  {
    names: "kubectl oc",
    syntax: { takes: "-n --namespace --context --cluster", style: "exact" },
    before: "-n --namespace --context --cluster -h --help",
    subs: { "*": { style: "exact", takes: "-n --namespace -l --selector -o --output --context --sort-by" } },
    known: "get describe logs top version api-resources api-versions explain cluster-info help options config",
    rows: [
      { sub: "*", flags: "--kubeconfig -s --server --token --output-directory", why: loads },
      { sub: "exec run debug attach cp port-forward proxy", when: always, why: runs },
      {
        sub: "apply create delete edit patch replace scale rollout drain cordon taint label annotate set",
        when: always,
        why: remote
      },
      { sub: "config", when: firstWordNot("view get-contexts get-clusters get-users current-context"), why: configures }
    ]
  },
  {
    names: "helm",
    before: "-h --help --debug",
    subs: { "*": { style: "exact" } },
    known: "list ls status history get search version env help",
    rows: [
      { sub: "*", flags: "--post-renderer --kubeconfig", why: runs },
      { sub: "install upgrade uninstall rollback plugin repo pull push template", when: always, why: remote }
    ]
  },
  {
    names: "terraform tofu terragrunt pulumi ansible ansible-playbook vagrant packer",
    subs: { "*": { style: "single" } },
    before: "-h -help -version -v",
    known: "version help",
    rows: [{ sub: "apply destroy init plan import up console state taint exec", when: always, why: remote }]
  }
]
