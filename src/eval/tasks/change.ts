/** Tasks that change code: over several files, in one place, with the file's own line ends and indentation. Data only. */
import { text } from "../../domain/text.ts"
import { changedOnly, equals, holds, holdsNot, isJson, prints, withFile, type EvalTask } from "../task.ts"

const mathLib = `# Sums for the shop.
calc_total() {
  sum=0
  for n in "$@"; do sum=$((sum + n)); done
  echo "$sum"
}

# Not to be confused with calc_total.
calc_total_tax() {
  total=$(calc_total "$@")
  echo $((total + total / 5))
}
`

const renameFunction: EvalTask = {
  name: "rename-function",
  about: text("Rename a function over several files", "Renommer une fonction dans plusieurs fichiers"),
  files: {
    "lib/math.sh": mathLib,
    "cart.sh": '. ./lib/math.sh\necho "cart: $(calc_total 1 2 3)"\n',
    "invoice.sh": '. ./lib/math.sh\necho "net: $(calc_total 10 20)"\necho "gross: $(calc_total_tax 10 20)"\n',
    "docs/usage.md": "Call `calc_total` with the prices; `calc_total_tax` adds the tax.\n"
  },
  prompt:
    "Rename the shell function calc_total to sum_prices everywhere in this folder, the documentation included. The function calc_total_tax keeps its name.",
  checks: [
    holdsNot("lib/math.sh", /\bcalc_total\b/),
    holdsNot("cart.sh", /\bcalc_total\b/),
    holdsNot("invoice.sh", /\bcalc_total\b/),
    holdsNot("docs/usage.md", /\bcalc_total\b/),
    holds("lib/math.sh", /^calc_total_tax\(\)/m),
    holds("docs/usage.md", /`sum_prices`.*`calc_total_tax`/),
    prints("sh cart.sh && sh invoice.sh", "cart: 6\nnet: 30\ngross: 36"),
    changedOnly("lib/math.sh", "cart.sh", "invoice.sh", "docs/usage.md")
  ]
}

const stringsTest = `. ./strings.sh
fail=0
expect() { if [ "$1" != "$2" ]; then echo "FAILED: got '$1', expected '$2'"; fail=1; fi; }
expect "$(repeat ab 3)" ababab
expect "$(repeat x 1)" x
expect "$(repeat y 0)" ""
if [ "$fail" = 0 ]; then echo "all tests passed"; fi
exit "$fail"
`

const fixTest: EvalTask = {
  name: "fix-failing-test",
  about: text("Fix the code that makes a test fail", "Corriger le code qui fait échouer un test"),
  files: {
    "strings.sh": `# Repeats a text: repeat TEXT TIMES
repeat() {
  out=""
  i=0
  while [ "$i" -le "$2" ]; do
    out="$out$1"
    i=$((i + 1))
  done
  printf '%s' "$out"
}
`,
    "test.sh": stringsTest
  },
  prompt: 'The test "sh test.sh" fails. Find the mistake in strings.sh and correct it. Do not change the test.',
  checks: [changedOnly("strings.sh"), withFile("test.sh", stringsTest, prints("sh test.sh", "all tests passed"))]
}

const addField: EvalTask = {
  name: "add-field",
  about: text(
    "Add a field to a record and to what prints it",
    "Ajouter un champ à un enregistrement et à son affichage"
  ),
  files: {
    "contact.sh": `# A contact is one line: name;age
make_contact() {
  echo "$1;$2"
}

show_contact() {
  name=$(echo "$1" | cut -d';' -f1)
  age=$(echo "$1" | cut -d';' -f2)
  echo "Name: $name"
  echo "Age: $age"
}
`,
    "main.sh": '. ./contact.sh\nshow_contact "$(make_contact Ann 30)"\n'
  },
  prompt:
    'Add a third field "city" to contacts in contact.sh: make_contact takes it as its third argument and stores it behind the age, separated by ";", and show_contact prints it as a third line "City: ...". In main.sh, give Ann the city Oslo.',
  checks: [
    prints("sh main.sh", "Name: Ann\nAge: 30\nCity: Oslo"),
    prints(". ./contact.sh; make_contact Bob 41 Rome", "Bob;41;Rome"),
    changedOnly("contact.sh", "main.sh")
  ]
}

const settingsIni = (serverTimeout: number): string =>
  [
    "[client]",
    "timeout=30",
    "retries=3",
    "",
    "[server]",
    "host=localhost",
    `timeout=${serverTimeout}`,
    "port=8080",
    ""
  ].join("\r\n")

const editCrlf: EvalTask = {
  name: "crlf-file",
  about: text("Edit a file with Windows line ends", "Modifier un fichier aux fins de ligne Windows"),
  files: { "settings.ini": settingsIni(30) },
  prompt:
    "In settings.ini, set the timeout of the section [server] to 90. Change nothing else, and keep the file's line ends.",
  checks: [equals("settings.ini", settingsIni(90)), changedOnly("settings.ini")]
}

const goFile = (guard: string): string =>
  `package main

import "fmt"

func greet(names []string) {
	for _, name := range names {
${guard}		fmt.Println("Hello, " + name)
	}
}

func main() {
	greet([]string{"Ann", "", "Bob"})
}
`

const editTabs: EvalTask = {
  name: "tabs-file",
  about: text("Edit a file indented with tabs", "Modifier un fichier indenté par des tabulations"),
  files: { "greet.go": goFile("") },
  prompt:
    'In greet.go, at the start of the body of the for loop, skip empty names: add an if statement over three lines (if name == "" {, continue, }) before the call of fmt.Println. Indent as the file does.',
  checks: [equals("greet.go", goFile('\t\tif name == "" {\n\t\t\tcontinue\n\t\t}\n')), changedOnly("greet.go")]
}

const oddNames: EvalTask = {
  name: "odd-names",
  about: text("Edit a file whose name has spaces and accents", "Modifier un fichier au nom avec espaces et accents"),
  files: {
    "notes d'été/liste n°1.txt": "pain\nlait\nœufs\n",
    "notes d'été/liste n°2.txt": "lait\n"
  },
  prompt:
    'In the file "notes d\'été/liste n°1.txt", replace the line "lait" by "lait d\'amande". Leave the other list alone.',
  checks: [equals("notes d'été/liste n°1.txt", "pain\nlait d'amande\nœufs\n"), changedOnly("notes d'été/liste n°1.txt")]
}

const packageJson = {
  name: "shop",
  version: "1.4.2",
  scripts: { test: "sh test.sh", start: "sh main.sh" },
  dependencies: { colors: "^1.4.0", yargs: "^17.7.2" },
  files: ["lib", "main.sh"]
}

const editJson: EvalTask = {
  name: "json-edit",
  about: text("Change and add values in a JSON file", "Modifier et ajouter des valeurs dans un fichier JSON"),
  files: { "package.json": `${JSON.stringify(packageJson, null, 2)}\n` },
  prompt:
    'In package.json, set the version to 2.0.0, add the script "lint" with the command "sh lint.sh", and remove the dependency colors. Everything else stays.',
  checks: [
    isJson("package.json", {
      ...packageJson,
      version: "2.0.0",
      scripts: { ...packageJson.scripts, lint: "sh lint.sh" },
      dependencies: { yargs: "^17.7.2" }
    }),
    changedOnly("package.json")
  ]
}

const deadCode: EvalTask = {
  name: "dead-code",
  about: text("Delete the one function that nothing calls", "Supprimer la fonction que rien n'appelle"),
  files: {
    "lib.sh": `upper() {
  printf '%s' "$1" | tr a-z A-Z
}

lower() {
  printf '%s' "$1" | tr A-Z a-z
}

trim() {
  printf '%s' "$1" | sed 's/^ *//; s/ *$//'
}
`,
    "main.sh": '. ./lib.sh\necho "$(upper hello)"\nsh report.sh\n',
    "report.sh": '. ./lib.sh\necho "[$(trim "  report  ")]"\n'
  },
  prompt:
    "One of the three functions in lib.sh is called nowhere in this folder. Find out which, and delete it. Change nothing else.",
  checks: [
    holdsNot("lib.sh", /lower/),
    holds("lib.sh", /^upper\(\)/m),
    holds("lib.sh", /^trim\(\)/m),
    prints("sh main.sh", "HELLO\n[report]"),
    changedOnly("lib.sh")
  ]
}

export const changeTasks: ReadonlyArray<EvalTask> = [
  renameFunction,
  fixTest,
  addField,
  editCrlf,
  editTabs,
  oddNames,
  editJson,
  deadCode
]
