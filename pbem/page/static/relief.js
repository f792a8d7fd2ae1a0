"use strict";
// The relief of a map, shaded once into a bitmap: nothing is filtered while the board is moved.
// A group of class "relief" holds one shape for each height; its data-box is the part of the plane it covers.
const Relief = (() => {
  const BLUR = 10, STEEP = 46, LIGHT = [-0.412, -0.527, 0.743], FLAT = 0.673, STRENGTH = 0.6;

  function heights(group, [x, y, w, h], per) {
    const wide = Math.ceil(w / per), high = Math.ceil(h / per);
    const canvas = document.createElement("canvas");
    canvas.width = wide;
    canvas.height = high;
    const paint = canvas.getContext("2d", { willReadFrequently: true });
    paint.setTransform(1 / per, 0, 0, 1 / per, -x / per, -y / per);
    paint.fillStyle = "#fff";
    for (const shape of group.querySelectorAll("path")) {
      paint.globalAlpha = Number(shape.getAttribute("fill-opacity"));
      paint.fill(new Path2D(shape.getAttribute("d")));
    }
    const pixels = paint.getImageData(0, 0, wide, high).data;
    const found = new Float32Array(wide * high);
    for (let i = 0; i < found.length; i++) found[i] = pixels[4 * i + 3] / 255;
    for (let pass = 0; pass < 3; pass++) blur(found, wide, high, Math.round(BLUR / per));
    return [canvas, paint, found, wide, high];
  }

  // A box blur along rows, then along columns; three of them come close to a Gaussian one.
  function blur(field, wide, high, r) {
    const line = new Float32Array(Math.max(wide, high));
    const run = (start, step, long) => {
      let sum = 0;
      for (let i = -r; i <= r; i++) sum += field[start + Math.min(Math.max(i, 0), long - 1) * step];
      for (let i = 0; i < long; i++) {
        line[i] = sum / (2 * r + 1);
        sum += field[start + Math.min(i + r + 1, long - 1) * step] - field[start + Math.max(i - r, 0) * step];
      }
      for (let i = 0; i < long; i++) field[start + i * step] = line[i];
    };
    for (let y = 0; y < high; y++) run(y * wide, 1, wide);
    for (let x = 0; x < wide; x++) run(x, wide, high);
  }

  const dot = (x, y) => {
    let h = (Math.imul(x, 374761393) + Math.imul(y, 668265263)) | 0;
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
  };

  // Hills without end: four octaves of a field of random heights.
  function noise(x, y) {
    let sum = 0, weight = 0.5;
    for (let octave = 0; octave < 4; octave++) {
      const i = Math.floor(x), j = Math.floor(y);
      let u = x - i, v = y - j;
      u = u * u * (3 - 2 * u);
      v = v * v * (3 - 2 * v);
      const top = dot(i, j) * (1 - u) + dot(i + 1, j) * u, low = dot(i, j + 1) * (1 - u) + dot(i + 1, j + 1) * u;
      sum += weight * (top * (1 - v) + low * v);
      weight /= 2;
      x = 2 * x + 17.3;
      y = 2 * y + 5.1;
    }
    return sum;
  }

  function shade(group) {
    const box = group.dataset.box.split(" ").map(Number);
    const per = Math.max(box[2], box[3]) > 1600 ? 2 : 1.25;
    const [canvas, paint, field, wide, high] = heights(group, box, per);
    const ground = new Float32Array(field.length);
    for (let y = 0, i = 0; y < high; y++) {
      for (let x = 0; x < wide; x++, i++) {
        if (field[i] > 0.004) ground[i] = field[i] * (0.45 + 1.1 * noise((x * per) / 42, (y * per) / 42));
      }
    }
    const image = paint.createImageData(wide, high), to = image.data;
    for (let y = 0, i = 0; y < high; y++) {
      for (let x = 0; x < wide; x++, i++) {
        const left = ground[x ? i - 1 : i], right = ground[x < wide - 1 ? i + 1 : i];
        const up = ground[y ? i - wide : i], down = ground[y < high - 1 ? i + wide : i];
        const nx = ((left - right) * STEEP) / (2 * per), ny = ((up - down) * STEEP) / (2 * per);
        const lit = (FLAT * (nx * LIGHT[0] + ny * LIGHT[1] + LIGHT[2])) / Math.sqrt(nx * nx + ny * ny + 1);
        const part = Math.max(-1, Math.min(1, 2 * lit - 1)) * STRENGTH;
        const tone = part > 0 ? 255 : 0;
        to[4 * i] = to[4 * i + 1] = to[4 * i + 2] = tone;
        to[4 * i + 3] = Math.abs(part) * 255;
      }
    }
    paint.putImageData(image, 0, 0);
    const frame = document.createElementNS("http://www.w3.org/2000/svg", "foreignObject");
    ["x", "y", "width", "height"].forEach((name, at) => frame.setAttribute(name, box[at]));
    frame.setAttribute("class", "shade");
    frame.append(canvas);
    group.replaceWith(frame);
  }

  return { shade: (base) => { for (const group of base.querySelectorAll("g.relief")) shade(group); } };
})();
