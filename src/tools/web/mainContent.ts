/**
 * Finds what a page is about: takes navigation, advertising, cookie banners and hidden parts out, and picks the main
 * element (seed 003 "webmd"). Works on a parsed document that it changes. Runs in the conversion worker.
 */

/** Never content. */
const REMOVED = [
  "head,title,script,style,noscript,iframe,svg,template,object,embed,canvas,audio,video,dialog,nav,input,select,textarea",
  "[role=navigation],[role=banner],[role=contentinfo],[role=search],[role=dialog],[role=alertdialog]",
  "[hidden],[aria-hidden=true],[aria-modal=true],a.headerlink,a.anchor"
].join(",")

/** Not content outside of the main element, where they frame the page; inside they are notes and titles. */
const FRAME = "header,footer,aside"

/** Words of class and id names of parts that are never content, whole or as the start of `name-part`, `name__part`. */
const NOISE =
  /^(?:cookie[-_]?(?:banner|bar|consent|notice|popup|modal|law|message)s?|onetrust|gdpr|cybotcookiebot|didomi|consent[-_]?(?:banner|popup|modal|manager|bar)|ads?|adsbygoogle|ad[-_]?(?:slot|container|banner|unit|wrapper|box)|google[-_]?ads?|adverts?|advertisements?|sponsored|newsletter[-_]?(?:signup|form|popup|box)|share[-_]?(?:buttons?|bar|links?)|social[-_]?(?:share|links?|media|icons?|buttons?)|skip[-_]?(?:link|nav|to[-_]content)|breadcrumbs?|navbar|site[-_]nav|(?:main|nav|top|site)[-_](?:menu|nav)|sidebar)(?:$|[-_])/i

/** A part with more of the text than this is kept whatever its name. */
const TOO_MUCH = 0.4

/** A main element with less text than this share of the page is a shell. */
const ENOUGH = 0.25

export interface MainContent {
  readonly title: string
  readonly root: Element
}

export const mainContent = (document: Document): MainContent => {
  const title = document.querySelector("title")?.textContent ?? ""
  const page = document.documentElement
  for (const element of page.querySelectorAll(REMOVED)) element.remove()
  // A button may be the text of a title that opens and closes.
  for (const button of page.querySelectorAll("button"))
    if (button.closest("h1,h2,h3,h4,h5,h6") === null) button.remove()
  removeUndisplayed(page)
  removeNoise(page)
  const root = pickMain(page)
  if (root === page) removeFrame(page)
  return { title, root }
}

/** Text that a reader does not see has no business in front of a model. */
const removeUndisplayed = (page: Element): void => {
  for (const element of page.querySelectorAll("[style]")) {
    if (/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(element.getAttribute("style") ?? "")) element.remove()
  }
}

const removeNoise = (page: Element): void => {
  const lengths = textLengths(page)
  const limit = (lengths.get(page) ?? 0) * TOO_MUCH
  for (const element of page.querySelectorAll("div,section,aside,header,footer,ul,ol,p,span,form,a,ins")) {
    if ((lengths.get(element) ?? 0) > limit) continue
    const words = `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`
    if (words.length > 1 && words.split(/\s+/).some((word) => NOISE.test(word))) element.remove()
  }
}

const pickMain = (page: Element): Element => {
  const lengths = textLengths(page)
  const enough = (lengths.get(page) ?? 0) * ENOUGH
  const fits = (element: Element) => (lengths.get(element) ?? 0) >= enough
  const mains = [...page.querySelectorAll("main,[role=main]")]
  const [main] = mains
  if (main !== undefined && mains.length === 1 && fits(main)) return main
  const articles = [...page.querySelectorAll("article")]
  const [article] = articles
  return article !== undefined && articles.length === 1 && fits(article) ? article : page
}

const removeFrame = (page: Element): void => {
  const titles = page.querySelectorAll("h1")
  for (const element of page.querySelectorAll(FRAME)) {
    if (element.closest("main,article,[role=main]") !== null) continue
    const title = element.querySelector("h1")
    if (title !== null && titles.length === 1) element.replaceWith(title)
    else element.remove()
  }
}

/** Characters of text below each element, in one walk without recursion. */
const textLengths = (page: Element): Map<Node, number> => {
  const lengths = new Map<Node, number>()
  let node: Node | null = page
  while (node !== null) {
    const child: Node | null = node.firstChild
    if (child !== null) {
      node = child
      continue
    }
    for (;;) {
      if (node === null) break
      if (node.nodeType === 3) lengths.set(node, (node.nodeValue ?? "").trim().length)
      if (node === page) return lengths
      const parent: Node | null = node.parentNode
      if (parent !== null) lengths.set(parent, (lengths.get(parent) ?? 0) + (lengths.get(node) ?? 0))
      if (node.nextSibling !== null) {
        node = node.nextSibling
        break
      }
      node = parent
    }
  }
  return lengths
}
