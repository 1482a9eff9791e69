/* What is drawn is of one of several classes, each with its own way to grow. */
#ifndef MUTANT
#define MUTANT 0
#endif

class Shape {
  public:
    virtual bool isWell() const = 0;
    virtual int area() const = 0;
    virtual void grow() = 0;
    virtual ~Shape() {}
};

class Square : public Shape {
    int side = 1;

  public:
    bool isWell() const override { return side > 0 && side <= 10; }
    int area() const override { return side * side; }
    void grow() override { side++; }
};

class Rectangle : public Shape {
    int width = 1, height = 2;

  public:
    bool isWell() const override { return width > 0 && width < height && height <= 10; }
    int area() const override { return width * height; }
#if MUTANT == 1
    void grow() override { width++; }
#else
    void grow() override { height++; }
#endif
};

struct Drawing {
    Shape *shape;
    int &limit;
};

bool repOk(const Drawing &drawing) {
    return (!drawing.shape || drawing.shape->isWell()) && drawing.limit >= 0 && drawing.limit < 100;
}

void enlarge(Drawing &drawing) {
    if (drawing.shape && drawing.shape->area() < 10)
        drawing.shape->grow();
}

void loosen(Drawing &drawing) {
#if MUTANT == 2
    if (drawing.limit <= 99)
#else
    if (drawing.limit < 99)
#endif
        drawing.limit++;
}

Shape *make(bool isSquare) {
    if (isSquare)
        return new Square();
    return new Rectangle();
}
