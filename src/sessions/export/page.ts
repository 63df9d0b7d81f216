/**
 * Style and script of the exported page. Constants only; neither loads anything.
 */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--bg:#fbfaf8;--fg:#1f2328;--soft:#6a7078;--line:#e2e0db;--card:#fff;--user:#2a6f4e;--code:#f3f1ec;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--bg:#16181c;--fg:#e4e6e9;--soft:#9aa1aa;--line:#2c3036;--card:#1c1f24;--user:#7fcba4;--code:#111317;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.6 system-ui,sans-serif}
header,main{max-width:54rem;margin:0 auto;padding:1rem 1.25rem}
header{position:sticky;top:0;z-index:1;background:var(--bg);border-bottom:1px solid var(--line)}
h1{margin:0;font-size:1.2rem;overflow-wrap:anywhere}
header p{margin:0;color:var(--soft);font-size:.85rem}
form{display:flex;gap:.5rem;align-items:center;margin-top:.5rem}
input{flex:1;min-width:0;padding:.4rem .6rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.4rem}
button{font:inherit;padding:.4rem .7rem;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.4rem;cursor:pointer}
output{color:var(--soft);font-size:.85rem;white-space:nowrap}
section{margin:1.25rem 0}
section[hidden]{display:none}
section h2{display:flex;gap:.6rem;align-items:baseline;margin:0 0 .25rem;font-size:.85rem;color:var(--soft)}
time{margin-left:auto;font-weight:400;font-size:.75rem}
.user{padding:.75rem 1rem;background:var(--card);border:1px solid var(--line);border-left:3px solid var(--user);border-radius:.4rem}
.user h2{color:var(--user)}
.tool,.note,.added{font-size:.92rem}
.note{text-align:center;color:var(--soft)}
.note details{text-align:left}
p,ul,ol{margin:.4rem 0;overflow-wrap:anywhere}
h3{margin:1rem 0 .3rem;font-size:1.02rem}
summary{cursor:pointer;color:var(--soft);overflow-wrap:anywhere}
summary b{color:var(--fg)}
summary span{font-family:ui-monospace,monospace;font-size:.85em}
pre{margin:.4rem 0;padding:.7rem .9rem;overflow:auto;max-height:34rem;background:var(--code);border:1px solid var(--line);border-radius:.4rem;font-size:.84rem;line-height:1.45}
code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace}
:not(pre)>code{padding:.1em .3em;background:var(--code);border-radius:.25rem;font-size:.88em}
img{max-width:100%;border-radius:.4rem}
.error{color:var(--bad)}
.file{color:var(--soft);font-style:italic}
mark{background:#ffe08a;color:#1f2328}
@media print{form{display:none}header{position:static}pre{max-height:none;white-space:pre-wrap}}
`

export const PAGE_SCRIPT = `
(() => {
  const search = document.getElementById("search")
  const count = document.getElementById("count")
  const sections = [...document.querySelectorAll("section")].map((node) => ({
    node,
    text: node.textContent.toLowerCase(),
    opened: []
  }))
  const show = () => {
    const wanted = search.value.trim().toLowerCase()
    let found = 0
    for (const section of sections) {
      const hit = wanted === "" || section.text.includes(wanted)
      section.node.hidden = !hit
      for (const details of section.opened) details.open = false
      section.opened = []
      if (!hit || wanted === "") continue
      found++
      for (const details of section.node.querySelectorAll("details:not([open])")) {
        if (!details.textContent.toLowerCase().includes(wanted)) continue
        details.open = true
        section.opened.push(details)
      }
    }
    count.textContent = wanted === "" ? "" : found + " " + count.dataset.word
  }
  let timer
  search.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(show, 120)
  })
  search.form.addEventListener("submit", (event) => event.preventDefault())
  document.getElementById("expand").addEventListener("click", () => {
    const all = [...document.querySelectorAll("details")]
    const open = all.some((details) => !details.open)
    for (const details of all) details.open = open
  })
})()
`
